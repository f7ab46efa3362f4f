import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMAIL_TIMEOUT, joinWaitlist, SAVE_TIMEOUT } from '~/waitlist/join-waitlist.ts';

const email = 'name@example.com';

function makeServices() {
  return {
    sendWelcome: vi.fn(async (_email: string, _signal: AbortSignal) => Response.json({ accepted: true })),
    saveEntry: vi.fn(async (_email: string) => ({ data: null as unknown, error: null as unknown })),
    log: { log: vi.fn(), error: vi.fn() },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('joining the waitlist', () => {
  it('fails when the email call is refused with a body that never ends', async () => {
    const services = makeServices();
    services.sendWelcome.mockImplementation(async (_email, signal) => {
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
      return new Response(new ReadableStream({ pull: () => aborted }), { status: 500 });
    });
    const outcome = joinWaitlist(email, services);
    await vi.advanceTimersByTimeAsync(EMAIL_TIMEOUT);
    expect(await outcome).toBe('unanswered');
    expect(services.saveEntry).not.toHaveBeenCalled();
  });

  it.each([
    ['the database refuses the entry', async () => ({ data: null, error: { code: '', message: 'down' } })],
    ['the database cannot be reached', () => Promise.reject(new Error('no chunk'))],
  ])('succeeds and logs an error when %s', async (_, saveEntry) => {
    const services = makeServices();
    services.saveEntry.mockImplementation(saveEntry);
    expect(await joinWaitlist(email, services)).toBe('joined');
    expect(services.log.error.mock.calls[0]?.[0]).toBe('Waitlist entry not saved:');
  });

  it('does not wait for a slow save, which continues in the background', async () => {
    const services = makeServices();
    let finish!: (answer: { data: unknown; error: unknown }) => void;
    services.saveEntry.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
    const outcome = joinWaitlist(email, services);
    // As the specification has them.
    expect([SAVE_TIMEOUT, EMAIL_TIMEOUT]).toEqual([3_000, 20_000]);
    await vi.advanceTimersByTimeAsync(SAVE_TIMEOUT - 1);
    expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe('joined');
    finish({ data: null, error: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(services.log.log).toHaveBeenCalledWith('Waitlist entry saved:', null, null);
  });
});
