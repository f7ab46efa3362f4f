import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMAIL_PATIENCE, joinWaitlist, SAVE_PATIENCE } from '~/waitlist/join-waitlist.ts';

const address = 'name@example.com';
const ok = () => new Response('{"accepted":true}', { status: 200 });

function makeServices() {
  const steps: string[] = [];
  return {
    steps,
    sendWelcome: vi.fn(async (_address: string, _signal: AbortSignal) => {
      steps.push('welcome');
      return ok();
    }),
    saveEntry: vi.fn(async (_address: string): Promise<{ data: unknown; error: unknown }> => {
      steps.push('entry');
      return { data: null, error: null };
    }),
    log: { log: vi.fn(), error: vi.fn() },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('joining the waitlist', () => {
  it('asks for the welcome first and saves the entry then', async () => {
    const services = makeServices();
    expect(await joinWaitlist(address, services)).toBe('joined');
    expect(services.steps).toEqual(['welcome', 'entry']);
    expect(services.log.log).toHaveBeenCalledWith('Waitlist entry saved:', null, null);
  });

  it('saves nothing when the welcome is refused, and logs status, status text and body', async () => {
    const services = makeServices();
    services.sendWelcome.mockResolvedValue(new Response('sorry', { status: 502, statusText: 'Bad Gateway' }));
    expect(await joinWaitlist(address, services)).toBe('failed');
    expect(services.saveEntry).not.toHaveBeenCalled();
    expect(services.log.error).toHaveBeenCalledWith('Welcome e-mail not sent:', 502, 'Bad Gateway', 'sorry');
  });

  it('saves nothing when the function cannot be reached', async () => {
    const services = makeServices();
    services.sendWelcome.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await joinWaitlist(address, services)).toBe('failed');
    expect(services.saveEntry).not.toHaveBeenCalled();
    expect(services.log.error).toHaveBeenCalled();
  });

  it('counts an e-mail call without an answer as failed', async () => {
    const services = makeServices();
    services.sendWelcome.mockImplementation(
      (_address, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const outcome = joinWaitlist(address, services);
    await vi.advanceTimersByTimeAsync(EMAIL_PATIENCE);
    expect(await outcome).toBe('failed');
    expect(services.saveEntry).not.toHaveBeenCalled();
  });

  it('counts an answer whose body never ends as failed', async () => {
    const services = makeServices();
    services.sendWelcome.mockImplementation(async (_address, signal) => {
      const body = new ReadableStream({
        start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
      });
      return new Response(body, { status: 500 });
    });
    const outcome = joinWaitlist(address, services);
    await vi.advanceTimersByTimeAsync(EMAIL_PATIENCE);
    expect(await outcome).toBe('failed');
  });

  it.each([
    ['says no', async () => ({ data: null, error: { code: '', message: 'down' } })],
    ['cannot be reached', () => Promise.reject(new Error('no chunk'))],
  ])('has worked when the database %s: the function knows the address', async (_, saveEntry) => {
    const services = makeServices();
    services.saveEntry.mockImplementation(saveEntry);
    expect(await joinWaitlist(address, services)).toBe('joined');
    expect(services.log.error).toHaveBeenCalled();
  });

  it('leaves a slow save to the background', async () => {
    const services = makeServices();
    let finish!: (answer: { data: unknown; error: unknown }) => void;
    services.saveEntry.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
    const outcome = joinWaitlist(address, services);
    await vi.advanceTimersByTimeAsync(SAVE_PATIENCE);
    expect(await outcome).toBe('joined');
    finish({ data: null, error: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(services.log.log).toHaveBeenCalled();
  });
});
