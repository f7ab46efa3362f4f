import { afterEach, describe, expect, it, vi } from 'vitest';
import { placeholders, social } from '~/site.ts';
import {
  checkForm,
  checkPages,
  checkPlaceholders,
  type LivePage,
  readForm,
} from '../../owner/probe/pages.ts';
import { checkCallers, checkDelivery, type Inspection } from '../../owner/probe/sign-up.ts';
import type { Target } from '../../owner/probe/target.ts';

const target: Target = {
  siteUrl: 'https://waitlist.example',
  apiUrl: 'https://abc.supabase.co',
  secretKey: 'sb_secret_one',
  isLocal: false,
};

const page = (html: string): LivePage => ({
  path: '/',
  status: 200,
  headers: new Headers({ 'Content-Type': 'text/html' }),
  html,
});

describe('the callers of a deployment', () => {
  const seen = { calls: 2, callers: 1, unseen: 0, others: 0, others_alike: 0 } as Inspection;

  it('are not told apart when many others look like the probe', () => {
    expect(checkCallers({ ...seen, others: 5, others_alike: 5 }, target, true)).toMatchObject({
      ok: false,
      found: expect.stringContaining('one and the same caller'),
    });
  });

  it.each([
    [4, 4],
    [5, 4],
    [50, 0],
  ])('are well when %i others called, and %i of them look alike', (others, others_alike) => {
    expect(checkCallers({ ...seen, others, others_alike }, target, true).ok).toBe(true);
  });

  it('are all one on the own machine', () => {
    const everybody = { ...seen, others: 50, others_alike: 50 };
    expect(checkCallers(everybody, { ...target, isLocal: true }, true).ok).toBe(true);
  });

  it('are not known to a function that nobody tells who calls, which only fails where it is told', () => {
    const nobody = { ...seen, callers: 0, unseen: 2 };
    expect(checkCallers(nobody, target, false)).toMatchObject({
      ok: true,
      found: 'not known: callers are not limited',
    });
    expect(checkCallers(nobody, target, true).ok).toBe(false);
  });
});

describe('the news of a delivery', () => {
  const arrived = async () => ({ is_delivered: true, return_kind: null }) as Inspection;
  const check = (status: number, isExpected: boolean) => {
    vi.stubGlobal('fetch', async () => new Response(null, { status }));
    return checkDelivery(target, arrived, isExpected, AbortSignal.timeout(1000));
  };

  afterEach(() => vi.unstubAllGlobals());

  it('is not known where the function has no secret to start with, unless the webhook is switched on', async () => {
    expect(await check(503, false)).toMatchObject({ ok: true, found: expect.stringContaining('not known') });
    expect(await check(503, true)).toMatchObject({ ok: false, found: 'delivery-events answers 503' });
  });

  it.each([404, 500])('fails when the function answers %i', async (status) => {
    expect((await check(status, false)).ok).toBe(false);
  });

  it('is waited for where the function asks for a signature', async () => {
    expect(await check(401, true)).toMatchObject({ ok: true, found: expect.stringContaining('arrived') });
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
  ])('that shows %s names it', (shown) => {
    expect(checkPlaceholders([page(`<p>${shown}</p>`)], target)).toMatchObject({
      ok: false,
      found: `/ shows ${shown}`,
    });
  });

  it('without one is well, and so is one with them on the own machine', () => {
    expect(checkPlaceholders([page('<p>hello</p>')], target).ok).toBe(true);
    const shown = page(placeholders.PUBLIC_SUPPORT_EMAIL);
    expect(checkPlaceholders([shown], { ...target, isLocal: true }).ok).toBe(true);
  });

  it('is served by HTTPS, and so is the function', () => {
    expect(checkPages([page('')], target).ok).toBe(true);
    expect(checkPages([page('')], { ...target, siteUrl: 'http://waitlist.example' }).found).toContain(
      'HTTPS',
    );
    const form = { functionUrl: 'http://localhost:3000/functions/v1/resend-email', publicKey: 'x' };
    expect(checkForm(form, target)).toMatchObject({
      ok: false,
      todo: expect.stringContaining('PUBLIC_DEV_MODE'),
    });
  });

  it('has a form, in whatever order its attributes stand', () => {
    const form = { functionUrl: 'https://abc.supabase.co/f?a&b', publicKey: 'key' };
    expect(
      readForm(
        '<form action="/search"></form><form method="post" action="https://abc.supabase.co/f?a&amp;b"><input value="key" name="apikey">',
      ),
    ).toEqual(form);
    expect(readForm('<input name="apikey" value="key">')).toBeUndefined();
    expect(readForm('<form action="/here"><input name="apikey" value="key">')).toBeUndefined();
    expect(readForm('')).toBeUndefined();
  });
});
