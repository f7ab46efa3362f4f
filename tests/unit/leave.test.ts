import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { handleLeave } from '../../functions/leave/handler.ts';
import { readLeaveToken, signLeaveToken } from '../../functions/secrets.ts';

const site = 'https://dropyard.example';
const secret = 's'.repeat(32);
const address = 'name@example.com';

function makeServices(leave: (address: string) => Promise<void> = async () => {}) {
  return {
    siteOrigins: [site] as [string, ...string[]],
    readToken: (token: string) => readLeaveToken(token, secret),
    leave: vi.fn(leave),
    log: vi.fn(),
  };
}

function post(token: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return new Request(`http://function/leave${token && `?token=${encodeURIComponent(token)}`}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
}

describe('a token', () => {
  it('names the address that it was signed for', async () => {
    expect(await readLeaveToken(await signLeaveToken(address, secret), secret)).toBe(address);
  });

  it('is nobody’s when it was signed with another secret, changed or made up', async () => {
    const token = await signLeaveToken(address, secret);
    const other = await signLeaveToken('other@example.com', secret);
    for (const forged of [
      await signLeaveToken(address, 'x'.repeat(32)),
      `${other.split('.')[0]}.${token.split('.')[1]}`,
      `${token}.x`,
      token.slice(0, -2),
      '',
      '.',
      '%',
    ]) {
      expect(await readLeaveToken(forged, secret)).toBeUndefined();
    }
  });

  it('never makes the reader throw, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (token) => {
        expect(await readLeaveToken(token, secret)).toBeUndefined();
      }),
    );
  });
});

describe('leaving', () => {
  it('takes one click of a mail client', async () => {
    const services = makeServices();
    const request = post(await signLeaveToken(address, secret), { 'List-Unsubscribe': 'One-Click' });
    expect((await handleLeave(request, services)).status).toBe(200);
    expect(services.leave).toHaveBeenCalledExactlyOnceWith(address);
  });

  it('takes one button on the page, which then says so', async () => {
    const services = makeServices();
    const response = await handleLeave(post('', { token: await signLeaveToken(address, secret) }), services);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${site}/leave#left`);
    expect(services.leave).toHaveBeenCalledExactlyOnceWith(address);
  });

  it.each(['GET', 'HEAD'])(
    'takes more than a %s, which leads to the page and changes nothing',
    async (method) => {
      const services = makeServices();
      const token = await signLeaveToken(address, secret);
      const response = await handleLeave(
        new Request(`http://function/leave?token=${token}`, { method }),
        services,
      );
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe(`${site}/leave#${token}`);
      expect(services.leave).not.toHaveBeenCalled();
    },
  );

  it('is refused with a token that is nobody’s', async () => {
    const services = makeServices();
    const response = await handleLeave(post('abc.def', { 'List-Unsubscribe': 'One-Click' }), services);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_token' } });
    const page = await handleLeave(post('', { token: 'abc.def' }), services);
    expect(page.headers.get('location')).toBe(`${site}/leave#not-left`);
    expect(services.leave).not.toHaveBeenCalled();
  });

  it('says when the database is down', async () => {
    const services = makeServices(() => Promise.reject(new Error('the data API answered 500')));
    const response = await handleLeave(post(await signLeaveToken(address, secret), {}), services);
    expect(response.status).toBe(503);
    expect(services.log).toHaveBeenCalledWith('not left: the data API answered 500');
  });

  it('leads to the configured site only', async () => {
    const request = post('', { token: 'x' }, { Origin: 'https://evil.example' });
    expect((await handleLeave(request, makeServices())).headers.get('location')).toMatch(`${site}/`);
  });
});
