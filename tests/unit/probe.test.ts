import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkAuth } from '../../probe/access.ts';
import { checkHeaders, readForm } from '../../probe/pages.ts';
import {
  checkCallers,
  checkDelivery,
  checkSignUp,
  checkWelcome,
  type Inspection,
} from '../../probe/sign-up.ts';
import { probe } from '../../probe/probe.ts';
import { readTarget, type Target } from '../../probe/target.ts';

const target: Target = {
  siteUrl: 'https://waitlist.example',
  apiUrl: 'https://abc.supabase.co',
  secretKey: 'sb_secret_one',
  isLocal: false,
  hasCallerHeader: true,
  hasWebhook: true,
};
const form = { functionUrl: 'https://abc.supabase.co/functions/v1/resend-email', publicKey: 'key' };

/** Answers every call with a status and a JSON body. */
const answer = (status: number, body: object = {}) =>
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
afterEach(() => vi.unstubAllGlobals());

it.each([
  ['http://localhost:4321', 'http://127.0.0.1:54321', true],
  ['http://localhost:4321', 'https://abc.supabase.co', false],
  ['https://waitlist.example', 'http://127.0.0.1:54321', false],
])('a probe with the site at %s and the project at %s is local: %s', (siteUrl, apiUrl, isLocal) => {
  const values = {
    PUBLIC_SITE_URL: `${siteUrl}/`,
    PUBLIC_SUPABASE_URL: `${apiUrl}/`,
    SUPABASE_SECRET_KEY: 'sb_secret_one',
    // A workflow passes an empty value for a secret that is not set.
    CALLER_HEADER: '',
    RESEND_WEBHOOK_SECRET: '',
  };
  expect(readTarget(values)).toMatchObject({
    ...{ siteUrl, apiUrl, isLocal },
    ...{ hasWebhook: isLocal, hasCallerHeader: false },
  });
});

it('a probe does not wait forever for a site or a database that never answers', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('timed out')));
  vi.stubGlobal('fetch', async (_: URL, { signal }: { signal?: AbortSignal }) => {
    if (signal?.aborted) throw signal.reason;
    return new Promise(() => {});
  });
  const findings = await Array.fromAsync(probe(target, { stop: new AbortController().signal }));
  vi.restoreAllMocks();
  expect(findings).toMatchObject([
    { name: 'pages', status: 'failed', found: 'https://waitlist.example: timed out' },
    { name: 'database', status: 'failed', found: 'timed out' },
  ]);
});

describe('the callers of a deployment', () => {
  const seen = { callers: 1, unseen: 0, others: 0, others_alike: 0 } as Inspection;

  it('fail when many others look like the probe', () => {
    expect(checkCallers({ ...seen, others: 5, others_alike: 5 }, target)).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('seem to come from one caller'),
    });
  });

  it.each([
    [4, 4],
    [5, 4],
    [50, 0],
  ])('pass when %i others called and %i of them look alike', (others, others_alike) => {
    expect(checkCallers({ ...seen, others, others_alike }, target)).toMatchObject({
      status: 'ok',
      found: expect.stringContaining(`; ${others_alike} of ${others} other sign-ups`),
    });
  });

  it.each([
    ['as another caller', { callers: 2 }],
    ['as none', { unseen: 1 }],
  ])('fail when the call with forged headers counts %s', (_, counts) => {
    expect(checkCallers({ ...seen, ...counts }, target)).toMatchObject({
      status: 'failed',
      found: 'the function trusts a header that a caller can forge',
    });
  });

  it('are not told apart on this machine', () => {
    const everybody = { ...seen, others: 50, others_alike: 50 };
    expect(checkCallers(everybody, { ...target, isLocal: true }).status).toBe('ok');
  });

  it('get a warning until the caller header is set, and fail if it is set but does not work', () => {
    const nobody = { ...seen, callers: 0, unseen: 2 };
    expect(checkCallers(nobody, { ...target, hasCallerHeader: false }).status).toBe('warning');
    expect(checkCallers(nobody, target).status).toBe('failed');
  });
});

describe('the sign-up of a probe', () => {
  it.each([
    ['https://waitlist.example', 'ok'],
    ['https://www.waitlist.example', 'failed'],
  ])('with a function that allows pages from %s is reported as %s', async (origin, status) => {
    vi.stubGlobal('fetch', async () =>
      Response.json({}, { headers: { 'Access-Control-Allow-Origin': origin } }),
    );
    const finding = await checkSignUp(target, form, 'name@example.com', new AbortController().signal);
    expect(finding.status).toBe(status);
  });

  it('calls like the page, then with every header that a caller could forge', async () => {
    const calls: Headers[] = [];
    vi.stubGlobal('fetch', async (_: string, { headers }: { headers: HeadersInit }) => {
      calls.push(new Headers(headers));
      return Response.json({});
    });
    await checkSignUp(target, form, 'name@example.com', new AbortController().signal);
    const own = {
      ...{ authorization: 'Bearer key', apikey: 'key', origin: 'https://waitlist.example' },
      'content-type': 'application/json',
    };
    const names = ['x-forwarded-for', 'x-real-ip', 'x-client-ip', 'true-client-ip'];
    const forged = Object.fromEntries(names.map((name) => [name, '203.0.113.7']));
    expect(calls.map((headers) => Object.fromEntries(headers))).toEqual([own, { ...own, ...forged }]);
  });

  it.each([
    [429, 'Probe again later, or raise the limit'],
    [500, 'Read the log of the function'],
  ])('says what to do when the function answers %i', async (status, todo) => {
    answer(status);
    const finding = await checkSignUp(target, form, 'name@example.com', new AbortController().signal);
    expect(finding).toMatchObject({ status: 'failed', todo: expect.stringContaining(todo) });
  });
});

describe('the welcome of a probe', () => {
  const quota = 'Resend answered 429 (daily_quota_exceeded)';

  it.each<[seen: Partial<Inspection>, status: string, found: string]>([
    [{ state: 'sent' }, 'ok', 'the provider accepted it'],
    [{ state: 'waiting', ahead: 3 }, 'warning', 'waiting, 3 ahead of it'],
    [{ state: 'waiting', problem: quota, ahead: 0 }, 'warning', `waiting: ${quota}, 0 ahead of it`],
    [{ state: 'waiting', held_up_by: quota, ahead: 2 }, 'warning', `waiting: ${quota}, 2 ahead of it`],
    [
      { state: 'waiting', held_up_by: 'monthly_quota_exceeded', ahead: 1 },
      'warning',
      'waiting: monthly_quota_exceeded, 1 ahead of it',
    ],
    [{ state: 'waiting', ahead: 0 }, 'failed', 'waiting'],
    [
      { state: 'waiting', held_up_by: 'Resend answered 401', ahead: 3 },
      'failed',
      'waiting: Resend answered 401',
    ],
    [{ state: 'refused', problem: quota, ahead: 3 }, 'failed', `refused: ${quota}`],
    [{ state: null }, 'failed', 'not in the outbox'],
  ])('in the state %j is reported as %s', async (seen, status, found) => {
    const inspection = { problem: null, held_up_by: null, ahead: null, ...seen } as Inspection;
    expect(await checkWelcome(async () => inspection)).toMatchObject({ status, found });
  });
});

describe('the headers of a page', () => {
  const good = {
    'content-security-policy': "default-src 'none'; script-src 'self'",
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=()',
    'cross-origin-opener-policy': 'same-origin',
  };
  const check = (changes: Record<string, string>, missing = '') => {
    const headers = new Headers({ ...good, ...changes });
    headers.delete(missing || 'x-none');
    return checkHeaders([{ path: '/about', status: 200, headers, html: '' }]);
  };

  it('pass when they are all strict', () => {
    expect(check({}).status).toBe('ok');
  });

  it.each(Object.keys(good))('must include %s', (name) => {
    expect(check({}, name)).toMatchObject({ status: 'failed', found: `/about has no ${name}` });
  });

  it.each([
    ['content-security-policy', "default-src 'self'"],
    ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"],
    ['strict-transport-security', 'max-age=86400'],
    ['x-content-type-options', 'none'],
    ['referrer-policy', 'unsafe-url'],
    ['cross-origin-opener-policy', 'unsafe-none'],
  ])('must not be weak: %s: %s', (name, value) => {
    expect(check({ [name]: value })).toMatchObject({
      status: 'failed',
      found: `/about has ${name}: ${value}`,
    });
  });
});

describe('the report of a delivery', () => {
  const check = (hasWebhook: boolean, seen: Partial<Inspection>) =>
    checkDelivery({ ...target, hasWebhook }, async () => seen as Inspection);

  it('is only a warning while the webhook is not set up', async () => {
    expect((await check(false, {})).status).toBe('warning');
  });

  it('must arrive once the webhook is set up, and must be a delivery', async () => {
    expect((await check(true, { is_delivered: true, return_kind: null })).status).toBe('ok');
    expect((await check(true, { is_delivered: false, return_kind: null })).status).toBe('failed');
    expect(await check(true, { is_delivered: true, return_kind: 'complained' })).toMatchObject({
      status: 'failed',
      found: 'the provider reported the welcome as complained',
    });
  });
});

describe('the Auth service of a project', () => {
  it.each([
    [200, { disable_signup: true }, 'ok'],
    [200, { disable_signup: false }, 'failed'],
    [200, {}, 'failed'],
    [500, {}, 'failed'],
    [404, {}, 'ok'],
  ])('that answers %i %j is reported as %s', async (status, settings, expected) => {
    answer(status, settings);
    expect((await checkAuth(target, form, AbortSignal.timeout(1000))).status).toBe(expected);
  });
});

describe('a live page', () => {
  it('is searched for its form, whatever the order of the attributes', () => {
    expect(
      readForm(
        '<form action="/search"></form><form method="post" action="https://abc.supabase.co/f?a&amp;b"><input value="key" name="apikey">',
      ),
    ).toEqual({ functionUrl: 'https://abc.supabase.co/f?a&b', publicKey: 'key' });
    expect(readForm('<input name="apikey" value="key">')).toBeUndefined();
    expect(readForm('<form action="/here"><input name="apikey" value="key">')).toBeUndefined();
    expect(readForm('')).toBeUndefined();
  });
});
