import { afterEach, describe, expect, it, vi } from 'vitest';
import { placeholders, social } from '~/site.ts';
import { checkAuth } from '../../probe/access.ts';
import { checkForm, checkPages, checkPlaceholders, type LivePage, readForm } from '../../probe/pages.ts';
import { checkCallers, checkDelivery, type Inspection } from '../../probe/sign-up.ts';
import type { Target } from '../../probe/target.ts';

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

const page = (html: string): LivePage => ({
  path: '/',
  status: 200,
  headers: new Headers({ 'Content-Type': 'text/html' }),
  html,
});

describe('the callers of a deployment', () => {
  const seen = { calls: 2, callers: 1, unseen: 0, others: 0, others_alike: 0 } as Inspection;

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
    expect(checkCallers({ ...seen, others, others_alike }, target).status).toBe('ok');
  });

  it('count as one on this machine', () => {
    const everybody = { ...seen, others: 50, others_alike: 50 };
    expect(checkCallers(everybody, { ...target, isLocal: true }).status).toBe('ok');
  });

  it('are a warning until the caller header is known, and a failure if it should work', () => {
    const nobody = { ...seen, callers: 0, unseen: 2 };
    expect(checkCallers(nobody, { ...target, hasCallerHeader: false }).status).toBe('warning');
    expect(checkCallers(nobody, target).status).toBe('failed');
  });
});

describe('the report of a delivery', () => {
  const arrived = async () => ({ is_delivered: true, return_kind: null }) as Inspection;
  const check = (hasWebhook: boolean) =>
    checkDelivery({ ...target, hasWebhook }, arrived, AbortSignal.timeout(1000));

  it('is a warning while the webhook is not set up, and a failure if it should be', async () => {
    answer(503, { error: { code: 'misconfigured' } });
    expect((await check(false)).status).toBe('warning');
    expect((await check(true)).status).toBe('failed');
  });

  it.each([
    [404, {}],
    [500, {}],
    [503, {}],
    [503, { error: { code: 'unavailable' } }],
  ])('fails when the function answers %i %j', async (status, body) => {
    answer(status, body);
    expect((await check(false)).status).toBe('failed');
  });

  it('is awaited when the function asks for a signature', async () => {
    answer(401);
    expect(await check(true)).toMatchObject({ status: 'ok', found: expect.stringContaining('arrived') });
  });
});

describe('the Auth service of a project', () => {
  it.each([
    [200, { disable_signup: true }, 'ok'],
    [200, { disable_signup: false }, 'failed'],
    [200, {}, 'failed'],
    [500, {}, 'failed'],
    [404, {}, 'ok'],
  ])('that answers %i %j: %s', async (status, settings, expected) => {
    answer(status, settings);
    expect((await checkAuth(target, form, AbortSignal.timeout(1000))).status).toBe(expected);
  });
});

describe('a live page', () => {
  it.each([
    placeholders.PUBLIC_SUPPORT_EMAIL,
    placeholders.PUBLIC_SUPPORT_PHONE,
    placeholders.PUBLIC_POSTAL_ADDRESS,
    ...Object.values(social)
      .map(({ link }) => link)
      .filter((link) => new URL(link).hostname.endsWith('.example')),
  ])('that shows %s fails and names it', (shown) => {
    expect(checkPlaceholders([page(`<p>${shown}</p>`)], target)).toMatchObject({
      status: 'failed',
      found: `/ shows ${shown}`,
    });
  });

  it('without a placeholder passes, and so does one on this machine', () => {
    expect(checkPlaceholders([page('<p>hello</p>')], target).status).toBe('ok');
    const shown = page(placeholders.PUBLIC_SUPPORT_EMAIL);
    expect(checkPlaceholders([shown], { ...target, isLocal: true }).status).toBe('ok');
  });

  it('fails without HTTPS, and so does the function', () => {
    expect(checkPages([page('')], target).status).toBe('ok');
    expect(checkPages([page('')], { ...target, siteUrl: 'http://waitlist.example' }).found).toContain(
      'HTTPS',
    );
    const local = { functionUrl: 'http://localhost:3000/functions/v1/resend-email', publicKey: 'x' };
    expect(checkForm(local, target)).toMatchObject({
      status: 'failed',
      todo: expect.stringContaining('PUBLIC_DEV_MODE'),
    });
  });

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
