import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkAuth, checkUnsubscribe } from '../../ops/probe/access.ts';
import { checkCallers, findTrusted, judgeHeaders, judgeLiveHeaders } from '../../ops/probe/caller-header.ts';
import type { Finding } from '../../ops/probe/finding.ts';
import { checkHeaders, checkHost, checkPages, readPages } from '../../ops/probe/site.ts';
import { checkDatabase, checkDelivery, checkSignUp, checkWelcome } from '../../ops/probe/sign-up.ts';
import { printFindings, probe } from '../../ops/probe/probe.ts';
import { readTarget } from '../../ops/probe/target.ts';
import type { Announcement, Story, Summary } from '../../ops/report.ts';
import { unlistedPages } from '~/config/site.ts';

const values = {
  PUBLIC_SITE_URL: 'https://waitlist.example/',
  PUBLIC_SUPABASE_URL: 'https://abc.supabase.co/',
  SUPABASE_SECRET_KEY: 'sb_secret_one',
};
const target = readTarget(values);
const form = { functionUrl: 'https://abc.supabase.co/functions/v1/resend-email', publicKey: 'key' };

/** A summary of a list with which all is well, and an announcement that its owner has stopped. */
const quiet = { announcements: [], refused_today: 0 } as object as Summary;
const launch = { name: 'launch', is_stopped: true, stopped_because: null, waiting: 5 } as Announcement;

/** Answers every call with a status and a JSON body. */
const answer = (status: number, body: object = {}, headers = {}) =>
  vi.stubGlobal('fetch', async () => Response.json(body, { status, headers }));
afterEach(() => vi.unstubAllGlobals());

it('a probe of a site that never answers says so, reports what holds up visitors, and signs nobody up', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  timeout.mockReturnValueOnce(AbortSignal.abort(new DOMException('', 'TimeoutError')));
  const called: string[] = [];
  vi.stubGlobal('fetch', async (url: URL, { signal }: { signal: AbortSignal }) => {
    called.push(String(url));
    if (url.pathname.startsWith('/rest/')) return Response.json([{ ...quiet, brake: '5 of 60 bounced' }]);
    signal.throwIfAborted();
    return new Promise(() => {});
  });
  const findings = await Array.fromAsync(probe(values, new AbortController().signal));
  timeout.mockRestore();
  const found = expect.stringContaining('https://waitlist.example did not answer in time');
  expect(findings).toMatchObject([
    { name: 'pages', status: 'failed', found },
    { name: 'database', status: 'failed' },
  ]);
  expect(called.at(-1)).toMatch(/summarize_waitlist$/);
});

it.each<[boolean, ...Finding['status'][]]>([
  [true, 'ok', 'warning', 'ok'],
  [false, 'ok', 'failed', 'ok'],
])('a probe is fine unless something failed: %s for %s, %s, %s', async (isFine, ...all) => {
  const findings = all.map((status): Finding => ({ name: 'host', status, found: '', todo: '' }));
  expect(await printFindings(Readable.from(findings), () => {})).toBe(isFine);
});

describe('the header with the caller’s address', () => {
  const own = '192.0.2.9';
  /** What a platform makes of the headers of a call; `undefined` when it refuses the call. */
  type Platform = (sent: Record<string, string>) => Record<string, string> | undefined;
  const judge = (platform: Platform, address = own) =>
    judgeHeaders(async (sent) => {
      const seen = platform(sent);
      // Cloudflare refuses a call that forges its own header.
      if (!seen || sent['cf-connecting-ip']) return undefined;
      const lists = Object.entries({ ...sent, ...seen });
      return {
        header: null,
        callers: Object.fromEntries(lists.map(([name, list]) => [name, list.split(', ').at(-1)!])),
      };
    }, address);
  const real = (address: string): Record<string, string> => ({ 'x-real-ip': address });

  it.each<[what: string, verdict: string, platform: Platform]>([
    ['that the platform sets', 'trusted', () => real(own)],
    ['that callers may not send', 'trusted', (sent) => (sent['x-real-ip'] ? undefined : real(own))],
    ['that the platform passes on', 'forgeable', (sent) => real(sent['x-real-ip'] ?? own)],
    ['that is the first of a list', 'forgeable', (sent) => real(sent['x-client-ip']?.split(', ')[0] ?? own)],
    ['that a list removes', 'forgeable', (sent) => real(sent['x-real-ip']?.includes(',') ? '' : own)],
    ['with the address of a proxy', 'foreign', () => real('10.0.0.1')],
  ])('%s is judged: %s', async (_, verdict, platform) => {
    const { verdicts } = await judge(platform);
    expect(verdicts).toEqual({ 'x-real-ip': verdict });
    expect(findTrusted(verdicts)).toBe(verdict === 'trusted' ? 'x-real-ip' : undefined);
  });

  it('is chosen among those that can be trusted, and not chosen by chance without our own address', async () => {
    const platform: Platform = (sent) => ({
      // The platform appends to it.
      'x-forwarded-for': [sent['x-forwarded-for'], own].filter(Boolean).join(', '),
      'x-real-ip': sent['x-real-ip'] ?? own,
      via: '10.0.0.1',
    });
    expect(findTrusted((await judge(platform)).verdicts)).toBe('x-forwarded-for');
    const { verdicts } = await judge(platform, '');
    expect(findTrusted(verdicts)).toBeUndefined();
    expect(verdicts['x-real-ip']).toBe('forgeable');
  });

  it('is compared with the address that another host reports, if the host of the project reports none', async () => {
    vi.stubGlobal('fetch', async ({ pathname, host }: URL) => {
      if (pathname !== '/cdn-cgi/trace')
        return Response.json({ header: null, callers: { 'x-own-address': own, via: own } });
      return host === 'api.cloudflare.com' ? new Response(`ip=${own}\n`) : new Response('', { status: 404 });
    });
    const { verdicts } = await judgeLiveHeaders(target, () => AbortSignal.timeout(1000));
    expect(verdicts).toEqual({ via: 'trusted' });
  });

  const deploy = './waitlist deploy sets CALLER_HEADER to via';
  const docs = 'docs/deploy.md';

  it.each<[header: string | null, verdicts: object, status: string, todo: string]>([
    ['x-real-ip', { 'x-real-ip': 'trusted' }, 'ok', ''],
    ['x-real-ip', { via: 'trusted' }, 'failed', deploy],
    ['x-real-ip', { 'x-real-ip': 'foreign' }, 'failed', docs],
    [null, { via: 'trusted' }, 'failed', deploy],
    [null, { via: 'foreign' }, 'warning', docs],
  ])('set to %s, with the verdicts %j, is reported as %s', (header, verdicts, status, todo) => {
    const found = checkCallers({ header, verdicts: verdicts as Record<string, 'trusted'> });
    expect(found).toMatchObject({ status, todo: expect.stringContaining(todo) });
  });

  it('is not looked at while the functions have another TOKEN_SECRET than the database', () => {
    const judgment = { header: 'via', verdicts: { via: 'trusted' as const }, fingerprint: 'one' };
    expect(checkCallers(judgment, 'one').status).toBe('ok');
    expect(checkCallers(judgment, 'other')).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('another TOKEN_SECRET'),
    });
  });
});

it.each<[seen: Partial<Summary>, status: string, found: string]>([
  [{}, 'ok', 'reachable'],
  [{ silent_since: '2026-11-26T08:00:00Z' }, 'failed', 'Nothing has been sent since'],
  [{ is_read_only: true }, 'failed', 'read-only'],
  [{ refused_today: 9 }, 'warning', 'over a limit today: 9 sign-ups'],
  [{ announcements: [{ ...launch, stopped_because: '9 of 60 bounced' }] }, 'failed', 'because 9 of 60'],
  [{ announcements: [{ ...launch, stopped_because: '9 of 60 bounced', waiting: 0 }] }, 'ok', 'reachable'],
  [{ announcements: [launch], paused_until: '2026', unknown_callers: 3, is_closed: true }, 'ok', 'reachable'],
])('what holds up visitors or members is reported: %j is %s', (seen, status, found) => {
  expect(checkDatabase({ ...quiet, ...seen })).toMatchObject({
    status,
    found: expect.stringContaining(found),
  });
});

it.each([
  [200, {}, 'failed', 'Set PUBLIC_SITE_URL'],
  [500, {}, 'failed', 'Read the log of the function'],
  [403, { error: { code: 'sign_ups_closed' } }, 'warning', '"limits set sign_ups 1" opens them'],
])('a sign-up that is answered with %i %j to another site is %s: %s', async (code, body, status, todo) => {
  answer(code, body, { 'Access-Control-Allow-Origin': 'https://www.waitlist.example' });
  const result = await checkSignUp(target, form, 'name@example.com', new AbortController().signal);
  expect(result).toMatchObject({ status, todo: expect.stringContaining(todo) });
});

describe('the welcome of a probe', () => {
  const quota = 'Resend answered 429 (daily_quota_exceeded)';

  it.each<[state: string | undefined, held: string | null, ahead: number, status: string, found: string]>([
    ['waiting', null, 3, 'warning', 'waiting, 3 waiting in all'],
    ['waiting', quota, 2, 'warning', `waiting: ${quota}, 2 waiting in all`],
    ['waiting', null, 1, 'failed', 'waiting'],
    ['waiting', 'HTTP 401', 3, 'failed', 'waiting: HTTP 401'],
    [undefined, null, 3, 'failed', 'the member is not on the list'],
    ['refused', quota, 3, 'failed', `refused: ${quota}`],
  ])('%j, held up by %s, with %i waiting, is %s', async (state, held, ahead, status, found) => {
    const messages = [{ problem: null, state }];
    const wait = async () => (state ? ({ messages } as Story) : null);
    const summarize = async () => ({ ...quiet, problem: held ?? 'of another', paused_until: held, ahead });
    expect(await checkWelcome(wait, summarize)).toMatchObject({ status, found });
  });

  it.each<[webhook: string | undefined, reports: string[], status: string]>([
    [undefined, [], 'warning'],
    ['whsec_one', [], 'failed'],
    ['whsec_one', ['delivered', 'complained'], 'failed'],
  ])('must arrive once there is a webhook: with %s, %j is %s', async (webhook, reports, status) => {
    const hosted = readTarget({ ...values, ...(webhook && { RESEND_WEBHOOK_SECRET: webhook }) });
    const history = ['sent', ...reports].map((kind) => ({ at: '', what: `welcome ${kind}`, problem: null }));
    expect((await checkDelivery(hosted, async () => ({ history }) as Story)).status).toBe(status);
  });
});

describe('the pages of a site', () => {
  const form =
    '<form action="https://abc.supabase.co/functions/v1/resend-email"><input name="apikey" value="key"></form>';
  const listed: Record<string, string> = {
    '/sitemap-index.xml': '<loc>https://waitlist.example/sitemap-0.xml</loc>',
    '/sitemap-0.xml': '<loc>https://waitlist.example/</loc><loc>https://waitlist.example/about</loc>',
  };
  type Page = [status: number, html: string];
  const ours =
    '<script>ours()</script><script type="application/ld+json">{}</script><script type="module" src="/_astro/a.js"></script>';
  const hash = createHash('sha256').update('ours()').digest('base64');
  const headers = { 'Content-Security-Policy': `script-src 'self' 'sha256-${hash}'` };
  const signal = new AbortController().signal;

  /** Serves a site as it should be, but for some paths and what the host adds, to a client that looks like a browser. */
  async function read(changes: Record<string, Page> = {}, injected = '', open = 'https:') {
    vi.stubGlobal('fetch', async (to: URL | string, init?: { headers?: Record<string, string> }) => {
      const { pathname: path, protocol, href } = new URL(to);
      if (protocol === 'http:' && !open) throw new TypeError('fetch failed');
      const isKnown = path in listed || path === '/about' || [...unlistedPages, '/'].includes(path);
      const [status, html] = changes[path] ?? [isKnown ? 200 : 404, listed[path] ?? form + ours];
      // As Cloudflare does it.
      const isBrowser = init?.headers?.['User-Agent']?.startsWith('Mozilla/5.0');
      const response = new Response(isBrowser ? html + injected : html, { status, headers });
      const url = protocol === 'http:' ? href.replace('http:', open) : href;
      return Object.defineProperty(response, 'url', { value: url });
    });
    return readPages(target, signal);
  }

  it.each<[what: string, fault: string, changes: Record<string, Page>]>([
    ['one is missing', '/about answers 500', { '/about': [500, ''] }],
    ['the landing page has no form', '/ has no form with a function and a key', { '/': [200, ''] }],
    ['the 404 has no form', '/no-such-page has no form', { '/no-such-page': [404, ''] }],
    ['there is a page for everything', '/no-such-page answers 200', { '/no-such-page': [200, form] }],
    ['any file is a page', 'no-such-asset.js answers 200', { '/_astro/no-such-asset.js': [200, ''] }],
    ['there is no sitemap', '/sitemap-index.xml lists no pages', { '/sitemap-index.xml': [404, ''] }],
  ])('fail when %s', async (_, fault, changes) => {
    const { status, found } = checkPages(await read(changes), target);
    expect(status).toBe('failed');
    expect(found).toContain(fault);
  });

  it.each([
    '<script src="/cdn-cgi/scripts/7d/cloudflare-static/rocket-loader.js"></script>',
    '<script>window._cf_chl_opt={}</script>',
    '<a class="__cf_email__" href="/cdn-cgi/l/email-protection#0f">',
    '<SCRIPT src=//tags.example/gtm.js></SCRIPT>',
    '<script>ours() </script>',
  ])('fail when the host adds %s', async (injected) => {
    const pages = await read({}, injected);
    const { status, found } = await checkHost(pages, target, signal);
    expect(status).toBe('failed');
    expect(found).toBe(`${pages.length} of ${pages.length} pages have ${injected.slice(0, 80)}`);
  });

  it('fail when the site answers over http without leading to https', async () => {
    const result = await checkHost(await read({}, '', 'http:'), target, signal);
    expect(result).toMatchObject({ status: 'failed', todo: expect.stringContaining('"Always Use HTTPS"') });
  });

  it('warn when Cloudflare puts a robots.txt of its own before ours', async () => {
    const pages = await read({ '/robots.txt': [200, '# BEGIN Cloudflare Managed content\nUser-agent: *'] });
    expect(await checkHost(pages, target, signal)).toMatchObject({ status: 'warning' });
    for (const open of ['https:', ''])
      expect(await checkHost(await read({}, '', open), target, signal)).toMatchObject({ status: 'ok' });
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
  const check = (headers: Headers) => checkHeaders([{ path: '/about', status: 200, headers, html: '' }]);

  it('must all be there', () => {
    expect(check(new Headers()).found).toContain(`and ${Object.keys(good).length - 3} more`);
  });

  it.each([
    ['content-security-policy', "default-src 'self'"],
    ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"],
    ['strict-transport-security', 'max-age=86400'],
    ['x-content-type-options', 'none'],
    ['referrer-policy', 'unsafe-url'],
    ['cross-origin-opener-policy', 'unsafe-none'],
  ])('must not be weak: %s: %s', (name, weak) => {
    expect(check(new Headers({ ...good, [name]: weak })).found).toBe(`/about has ${name}: ${weak}`);
  });
});

it('a function for unsubscribing that does not run is reported', async () => {
  answer(404);
  expect((await checkUnsubscribe(target, AbortSignal.timeout(1000))).status).toBe('failed');
});

it.each([
  [200, { disable_signup: true }, 'ok'],
  [200, { disable_signup: false }, 'failed'],
  [500, {}, 'failed'],
  [404, {}, 'ok'],
])('an Auth service that answers %i %j is reported as %s', async (status, settings, expected) => {
  answer(status, settings);
  expect((await checkAuth(target, form, AbortSignal.timeout(1000))).status).toBe(expected);
});
