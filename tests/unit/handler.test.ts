import { describe, expect, it, vi } from 'vitest';
import { anchors } from '~/config/site.ts';
import { handleSignUp, type Services } from '../../functions/resend-email/handler.ts';

const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
const site = 'https://dropyard.example';
const otherSite = 'https://www.dropyard.example';
const key = 'sb_publishable_one';
/** Origins of other sites, and of pages that hide theirs. */
const foreign = [`${site}.evil.example`, 'http://evil-dropyard.example', `${site}:8443`, 'null'];

/** Pages of the site, also opened in an unusual way, and the origin of each. */
const own = [
  [site, site],
  [otherSite, otherSite],
  ['http://dropyard.example', site],
  ['https://dropyard.example.', site],
  ['http://www.dropyard.example.', otherSite],
] as const;

function makeServices(accept?: Services['accept']) {
  return {
    siteOrigins: [site, otherSite] as [string, ...string[]],
    publicKeys: [key, 'sb_publishable_two'],
    secretKeys: ['sb_secret_one', 'sb_secret_two'],
    callerHeader: 'CF-Connecting-IP',
    fingerprint: 'of the secret',
    accept: vi.fn<Services['accept']>(accept ?? (async () => 'accepted')),
    deliver: vi.fn(async () => {}),
    inBackground: vi.fn(),
  };
}

function call(body: unknown, init: { headers?: Record<string, string>; method?: string } = {}): Request {
  return new Request('http://function/', {
    method: init.method ?? 'POST',
    headers: { 'Content-Type': 'application/json', apikey: key, Origin: site, ...init.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('a call from the page', () => {
  it('is accepted after the welcome is in the outbox, and starts the delivery in the background', async () => {
    const services = makeServices();
    const response = await handleSignUp(call({ to: ' Name@Example.com ' }), services);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ accepted: true });
    expect(services.accept).toHaveBeenCalledExactlyOnceWith('name@example.com', expect.any(Request));
    expect(services.deliver).toHaveBeenCalledOnce();
    expect(services.inBackground).toHaveBeenCalledOnce();
  });

  it.each<[what: string, body: object, headers?: Record<string, string>]>([
    ['and cannot choose sender, subject or text', { from: 'x@evil.example', subject: 1, html: ['<script>'] }],
    ['whatever the case of its content type', {}, { 'Content-Type': 'Application/JSON; charset=UTF-8' }],
    ['with either key during a rotation', {}, { apikey: 'sb_publishable_two' }],
  ])('is accepted %s', async (_, body, headers = {}) => {
    const services = makeServices();
    const response = await handleSignUp(call({ ...body, to: 'name@example.com' }, { headers }), services);
    expect(response.status).toBe(200);
    expect(services.accept).toHaveBeenCalledExactlyOnceWith('name@example.com', expect.any(Request));
  });

  it.each([
    ['another method', () => call('', { method: 'PUT' }), 405, 'method_not_allowed'],
    ['another type', () => call('x', { headers: { 'Content-Type': 'text/plain' } }), 415, 'unsupported_type'],
    ['a wrong key', () => call({ to: 'a@example.com' }, { headers: { apikey: 'x' } }), 401, 'invalid_key'],
    ['no key', () => call({ to: 'a@example.com' }, { headers: { apikey: '' } }), 401, 'invalid_key'],
    ['a body that is not JSON', () => call('{'), 400, 'invalid_json'],
    ['a body that is not an object', () => call('null'), 400, 'invalid_json'],
    ['no address', () => call({}), 422, 'invalid_address'],
    ['too large a body', () => call({ html: 'x'.repeat(200_000) }), 413, 'body_too_large'],
  ])('is refused for %s, and nothing is sent', async (_, makeRequest, status, code) => {
    const services = makeServices();
    const response = await handleSignUp(makeRequest(), services);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: { code, message: expect.stringMatching(/^[A-Z].*\.$/) } });
    expect(services.accept).not.toHaveBeenCalled();
  });

  it('is refused for an endless body that does not declare its length', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) });
    const headers = { 'Content-Type': 'application/json', apikey: key };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    expect((await handleSignUp(new Request('http://function/', init), makeServices())).status).toBe(413);
  });

  it('gets the seconds to wait when a limit is reached, and starts no delivery', async () => {
    const services = makeServices(async () => 'too_many_requests');
    const response = await handleSignUp(call({ to: 'name@example.com' }), services);
    expect(response.status).toBe(429);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '3600',
      'cache-control': 'no-store',
      'content-type': 'application/json',
    });
    expect(services.deliver).not.toHaveBeenCalled();
  });

  it('gets 503 without a reason while the database is down, and the log has the reason without the address', async () => {
    const services = makeServices(() => Promise.reject(new Error('the data API answered 500')));
    const response = await handleSignUp(call({ to: 'name@example.com' }), services);
    expect(response.status).toBe(503);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('unavailable');
    expect(error.message).not.toContain('data API');
    expect(logged).toHaveBeenLastCalledWith('sign-up not accepted: the data API answered 500');
  });

  it('to /deliver starts the delivery, but only with the key', async () => {
    const services = makeServices();
    const knock = (apikey: string) =>
      new Request('http://function/resend-email/deliver', call({}, { headers: { apikey } }));
    expect((await handleSignUp(knock('x'), services)).status).toBe(401);
    expect(services.deliver).not.toHaveBeenCalled();
    expect((await handleSignUp(knock(key), services)).status).toBe(202);
    expect(services.deliver).toHaveBeenCalledOnce();
    expect(services.inBackground).toHaveBeenCalledOnce();
  });

  it('to /caller reports the caller in each header with an IP address, but only with a secret key', async () => {
    const services = makeServices();
    const ask = (apikey: string) => {
      const headers = {
        'CF-Connecting-IP': '2001:db8:1:2:3::4',
        'X-Forwarded-For': '203.0.113.7, 192.0.2.9',
        'X-Real-IP': 'unknown',
        Host: '127.0.0.1:54321',
      };
      const url = 'http://function/resend-email/caller';
      const request = new Request(url, { method: 'POST', headers: { ...headers, apikey } });
      return handleSignUp(request, services);
    };
    const callers = { 'cf-connecting-ip': '2001:db8:1::/48', 'x-forwarded-for': '192.0.2.9' };
    const response = await ask('sb_secret_two');
    const report = { header: 'cf-connecting-ip', callers, fingerprint: 'of the secret' };
    expect([response.status, await response.json()]).toEqual([200, report]);
    for (const wrong of ['', key, 'sb_secret_three']) {
      const refused = await ask(wrong);
      expect(refused.status).toBe(401);
      expect(await refused.text()).not.toContain('192.0.2.9');
    }
    expect(JSON.stringify(logged.mock.calls)).not.toContain('192.0.2.9');
  });

  it.each(own)('passes the preflight from %s', async (origin) => {
    const { status, headers } = await preflight(origin);
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'authorization, apikey, content-type',
      vary: 'Origin',
    });
  });

  it.each(foreign)('does not pass the preflight from %s', async (origin) => {
    expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

function preflight(origin: string): Promise<Response> {
  const request = new Request('http://function/', { method: 'OPTIONS', headers: { Origin: origin } });
  return handleSignUp(request, makeServices());
}

async function postForm(fields: Record<string, string>, services: Services, origin: string | null = site) {
  const headers: Record<string, string> = origin === null ? {} : { Origin: origin };
  const request = new Request('http://function/', {
    method: 'POST',
    headers,
    body: new URLSearchParams({ apikey: key, email_address: 'a@example.com', ...fields }),
  });
  const response = await handleSignUp(request, services);
  expect(response.status).toBe(303);
  return response.headers.get('location');
}

describe('a form that was sent without JavaScript', () => {
  const pages: (readonly [string | null, string])[] = [...own, [null, site]];
  it.each(pages)('does both steps from the page %s, and returns to %s', async (page, returned) => {
    const services = makeServices();
    const place = await postForm({ email_address: 'Name@Example.com' }, services, page);
    expect(place).toBe(`${returned}/#joined`);
    expect(services.accept).toHaveBeenCalledExactlyOnceWith('name@example.com', expect.any(Request));
    expect(services.deliver).toHaveBeenCalledOnce();
  });

  it.each<[string, string, Services['accept']]>([
    [anchors.notJoined, 'a failure', () => Promise.reject(new Error('the data API answered 500'))],
    [anchors.notJoined, 'an empty answer of the database', async () => null],
    [anchors.tryLater, 'a limit', async () => 'too_many_requests'],
  ])('redirects to %s after %s', async (place, _, accept) => {
    expect(await postForm({}, makeServices(accept))).toBe(`${site}/${place}`);
  });

  it.each<[string, string, Record<string, string>]>([
    [anchors.addressRefused, 'an address that cannot be right', { email_address: 'a@localhost' }],
    [anchors.notJoined, 'a wrong key', { apikey: 'x' }],
    [anchors.notJoined, 'too large a body', { html: 'x'.repeat(200_000) }],
  ])('redirects to %s for %s, and signs nobody up', async (place, _, fields) => {
    const services = makeServices();
    expect(await postForm(fields, services)).toBe(`${site}/${place}`);
    expect(services.accept).not.toHaveBeenCalled();
  });

  it.each(foreign)('signs nobody up when it comes from the origin %s', async (origin) => {
    const services = makeServices();
    expect(await postForm({}, services, origin)).toBe(`${site}/${anchors.notJoined}`);
    expect(services.accept).not.toHaveBeenCalled();
  });

  it('signs nobody up when its body ends early, because the address may be cut off', async () => {
    const services = makeServices();
    const parts = [new TextEncoder().encode(`apikey=${key}&email_address=name@example.co`)];
    const broken = new ReadableStream({
      pull: (controller) => (parts[0] ? controller.enqueue(parts.shift()) : controller.error(new Error())),
    });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const init = { method: 'POST', headers, body: broken, duplex: 'half' } as RequestInit;
    const response = await handleSignUp(new Request('http://function/', init), services);
    expect(response.headers.get('location')).toBe(`${site}/${anchors.notJoined}`);
    expect(services.accept).not.toHaveBeenCalled();
  });
});
