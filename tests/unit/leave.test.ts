import { describe, expect, it, vi } from 'vitest';
import { handleLeave, type Services } from '../../functions/leave/handler.ts';
import { hashToken, makeUnsubscribeToken } from '../../ground/secrets.ts';

const site = 'https://dropyard.example';
const secret = 's'.repeat(32);
const token = '-_'.padEnd(43, 't');

function makeServices(leave: Services['leave'] = async () => 'left') {
  return { siteOrigins: [site] as [string, ...string[]], leave: vi.fn(leave), log: vi.fn() };
}

function post(inUrl: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return new Request(`http://function/leave${inUrl && `?token=${encodeURIComponent(inUrl)}`}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
}

describe('a token', () => {
  it('is the same for every message to a member, even years later, and different for everybody else', async () => {
    const made = 'RZfHRT524Ww0UPtfhqWX-MjDVZbQ9UaJEmQ6FS-KVFQ';
    expect(await makeUnsubscribeToken('a', secret)).toBe(made);
    expect(await makeUnsubscribeToken('b', secret)).not.toBe(made);
    expect(await makeUnsubscribeToken('a', 'x'.repeat(32))).not.toBe(made);
  });

  it('is stored as a hash, which is not itself a valid token', async () => {
    const hash = await hashToken(token);
    expect(hash).toMatch(/^[\w-]{43}$/);
    expect(hash).not.toBe(token);
    expect(await hashToken(hash!)).not.toBe(hash);
  });

  it.each(['', '.', '%', token.slice(1), `${token}x`, `${token}\n`, 'name@example.com'])(
    'is never read from %j, even if a mail client changes the link to that',
    async (text) => expect(await hashToken(text)).toBeUndefined(),
  );
});

describe('unsubscribing', () => {
  it('takes one click in a mail client', async () => {
    const services = makeServices();
    const response = await handleLeave(post(token, { 'List-Unsubscribe': 'One-Click' }), services);
    expect(response.status).toBe(200);
    expect(services.leave).toHaveBeenCalledExactlyOnceWith(token);
  });

  it('takes one button on the page, which then confirms it, whatever page it came from', async () => {
    const services = makeServices();
    const request = post('', { token }, { Origin: 'https://evil.example' });
    const response = await handleLeave(request, services);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${site}/leave#left`);
    expect(services.leave).toHaveBeenCalledExactlyOnceWith(token);
  });

  it.each(['GET', 'HEAD'])('takes more than a %s, which only redirects to the page', async (method) => {
    const services = makeServices();
    const request = new Request(`http://function/leave?token=${token}`, { method });
    const response = await handleLeave(request, services);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${site}/leave#${token}`);
    const strange = await handleLeave(
      new Request('http://function/leave?token=%0D%0A', { method }),
      services,
    );
    expect(strange.headers.get('location')).toBe(`${site}/leave#%0D%0A`);
    expect(services.leave).not.toHaveBeenCalled();
  });

  it.each(['PUT', 'DELETE', 'OPTIONS'])('does not happen with %s', async (method) => {
    const services = makeServices();
    const request = new Request(`http://function/leave?token=${token}`, { method });
    const response = await handleLeave(request, services);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(services.leave).not.toHaveBeenCalled();
  });

  it('refuses too large a body', async () => {
    const services = makeServices();
    const response = await handleLeave(post(token, { more: 'x'.repeat(200_000) }), services);
    expect(response.status).toBe(413);
    expect(services.leave).not.toHaveBeenCalled();
  });

  it('answers a mail program that repeats an old call with 200, and the page that nobody left', async () => {
    const services = makeServices(async () => 'unknown');
    const response = await handleLeave(post(token, { 'List-Unsubscribe': 'One-Click' }), services);
    expect(response.status).toBe(200);
    const page = await handleLeave(post('', { token }), services);
    expect(page.headers.get('location')).toBe(`${site}/leave#not-left`);
  });

  it('refuses what cannot be a token', async () => {
    const services = makeServices(async () => 'malformed');
    const response = await handleLeave(post('x', {}), services);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_token' } });
    const page = await handleLeave(post('', { token: 'x' }), services);
    expect(page.headers.get('location')).toBe(`${site}/leave#not-left`);
  });

  it('reports that the database is down, on the page too', async () => {
    const services = makeServices(() => Promise.reject(new Error('the data API answered 500')));
    expect((await handleLeave(post(token, {}), services)).status).toBe(503);
    const page = await handleLeave(post('', { token }), services);
    expect(page.headers.get('location')).toBe(`${site}/leave#not-left`);
    expect(services.log).toHaveBeenCalledWith('unsubscribe failed: the data API answered 500');
  });
});
