import { describe, expect, it, vi } from 'vitest';
import { handleUnsubscribe, type Services } from '../../functions/unsubscribe/handler.ts';
import { makeUnsubscribeToken, readUnsubscribeToken } from '../../functions/_shared/unsubscribe-token.ts';

const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
const site = 'https://dropyard.example';
const secret = 's'.repeat(32);
const token = '-_'.padEnd(43, 't');

function makeServices(unsubscribe: Services['unsubscribe'] = async () => 'unsubscribed') {
  return { siteOrigins: [site] as [string, ...string[]], unsubscribe: vi.fn(unsubscribe) };
}

function post(inUrl: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return new Request(`http://function/unsubscribe${inUrl && `?token=${encodeURIComponent(inUrl)}`}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
}

describe('a token', () => {
  const id = '0b8f4f9e-1c55-4a3b-9d37-5d5a1b2c3d4e';

  it('is the same for every message to a member, even years later, and different for everybody else', () => {
    const made = makeUnsubscribeToken(id, secret);
    expect(made).toBe('C49PnhxVSjudN11aGyw9TicYMynbag-sUibMVTbGFiU');
    expect(makeUnsubscribeToken(crypto.randomUUID(), secret)).not.toBe(made);
  });

  it('works while its secret is in the list, wherever that stands, and signs nothing else', () => {
    const [older, newer] = [secret, 'x'.repeat(32)];
    for (const signedBy of [older, newer])
      expect(readUnsubscribeToken(makeUnsubscribeToken(id, signedBy), [newer, older])).toBe(id);
    const made = makeUnsubscribeToken(id, older);
    expect(readUnsubscribeToken(made, [newer])).toBeUndefined();
    for (let at = 0; at < made.length; at++) {
      const changed = made.slice(0, at) + (made[at] === 'A' ? 'B' : 'A') + made.slice(at + 1);
      expect(readUnsubscribeToken(changed, [older])).toBeUndefined();
    }
  });

  it.each(['', '%'.repeat(43), `${token.slice(1)}ü`, token, token.slice(1), `${token}x`, `${token}\n`])(
    'is never read from %j, even if a mail client changes the link to that',
    (text) => expect(readUnsubscribeToken(text, [secret])).toBeUndefined(),
  );
});

describe('unsubscribing', () => {
  it('takes one button on the page, which then confirms it, whatever page it came from', async () => {
    const services = makeServices();
    const request = post('', { token }, { Origin: 'https://evil.example' });
    const response = await handleUnsubscribe(request, services);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${site}/unsubscribe#unsubscribed`);
    expect(services.unsubscribe).toHaveBeenCalledExactlyOnceWith(token);
  });

  it.each(['GET', 'HEAD'])('takes more than a %s, which only redirects to the page', async (method) => {
    const services = makeServices();
    for (const inUrl of [token, '%0D%0A']) {
      const request = new Request(`http://function/unsubscribe?token=${inUrl}`, { method });
      const { status, headers } = await handleUnsubscribe(request, services);
      expect([status, headers.get('location')]).toEqual([303, `${site}/unsubscribe#${inUrl}`]);
    }
    expect(services.unsubscribe).not.toHaveBeenCalled();
  });

  it.each([
    ['another method', 405, new Request(`http://function/unsubscribe?token=${token}`, { method: 'PUT' })],
    ['too large a body', 413, post(token, { more: 'x'.repeat(200_000) })],
  ])('does not happen with %s', async (_, status, request) => {
    const services = makeServices();
    expect((await handleUnsubscribe(request, services)).status).toBe(status);
    expect(services.unsubscribe).not.toHaveBeenCalled();
  });

  it.each<[string, Services['unsubscribe'], number, ...logged: string[]]>([
    ['answers a mail program that repeats an old call with 200', async () => 'unknown', 200],
    ['refuses what cannot be a token', async () => 'malformed', 400],
    ['reports a lost database', () => Promise.reject(new Error('500')), 503, 'unsubscribe failed: 500'],
  ])('%s, and tells the page that nobody left', async (_, unsubscribe, status, ...lines) => {
    const services = makeServices(unsubscribe);
    expect((await handleUnsubscribe(post(token, {}), services)).status).toBe(status);
    const page = await handleUnsubscribe(post('', { token }), services);
    expect(page.headers.get('location')).toBe(`${site}/unsubscribe#not-unsubscribed`);
    for (const line of lines) expect(logged).toHaveBeenCalledWith(line);
  });
});
