import { unlistedPages } from '../../src/config/site.ts';
import { createHash } from 'node:crypto';
import { type Result, judge } from './finding.ts';
import type { Target } from './probe.ts';

type LivePage = Awaited<ReturnType<typeof readPage>>;
export type LiveForm = NonNullable<ReturnType<typeof readForm>>;

const sitemap = '/sitemap-index.xml';
const unknownPage = '/no-such-page';
const unknownPaths = [unknownPage, '/_astro/no-such-asset.js'];

/** Fetches every page of the site, and two paths that are unknown. Rejects if the site cannot be reached. */
export async function readPages({ siteUrl }: Target, signal: AbortSignal): Promise<LivePage[]> {
  const read = (path: string) => readPage(siteUrl, path, signal);
  const listed = (await Promise.all(listPaths(await read(sitemap)).map(read))).flatMap(listPaths);
  return Promise.all(
    ['/', ...listed.filter((path) => path !== '/'), ...unlistedPages, ...unknownPaths].map(read),
  );
}

/** Checks that every page exists, that the landing page has its form, and that an unknown page is a 404 that shows it. */
export function checkPages(live: LivePage[], { siteUrl }: Target): Result {
  const pages = live.filter(({ path }) => !unknownPaths.includes(path));
  const isListed = pages.length > unlistedPages.length + 1;
  const faults = live.flatMap(({ path, status, html }) => {
    if (status !== (unknownPaths.includes(path) ? 404 : 200)) return [`${path} answers ${status}`];
    const isLanding = path === '/' || path === unknownPage;
    return isLanding && !readForm(html) ? [`${path} has no form with a function and a key`] : [];
  });
  return judge(
    isListed ? faults : [`${sitemap} lists no pages`, ...faults],
    `${pages.length} pages at ${siteUrl}, and a 404 for any other`,
    'Deploy the site again. A host other than Cloudflare must serve 404.html with status 404 for unknown paths.',
  );
}

/** Reads the form of a page; `undefined` if it has none that works without JavaScript. */
export function readForm(html: string) {
  const input = /<input\b[^>]*\bname="apikey"[^>]*>/.exec(html);
  const form = html
    .slice(0, input?.index)
    .match(/<form\b[^>]*>/g)
    ?.at(-1);
  const functionUrl = form && readAttribute(form, 'action');
  const publicKey = input && readAttribute(input[0], 'value');
  if (!functionUrl || !publicKey || !URL.canParse(functionUrl)) return undefined;
  return { functionUrl, publicKey };
}

/** What hosts add, and the switch that stops it. Our policy blocks all of it, with an error in the console of every visitor. */
const additions: [mark: RegExp, advice: string][] = [
  [/cloudflareinsights/, 'At Cloudflare, switch off Web Analytics (automatic setup) for this domain.'],
  [/rocket-?loader|rocketscript/i, 'At Cloudflare, under Speed, Settings, switch off Rocket Loader.'],
  [/challenge-platform|Just a moment/, 'At Cloudflare, switch off Bot Fight Mode and "Under Attack".'],
  [/email-(protection|decode)/, 'At Cloudflare, under Scrape Shield, switch off Email Address Obfuscation.'],
  [/zaraz/i, 'At Cloudflare, switch off Zaraz for this domain.'],
  [/\/cdn-cgi\/apps\//, 'At Cloudflare, remove the apps of this domain.'],
  [/answers over http:/, 'At Cloudflare, under SSL/TLS, Edge Certificates, switch on "Always Use HTTPS".'],
  [/./, 'Find out what adds it: the host, or a proxy in front of it.'],
];

/** Checks that the host serves the pages as they were built, and leads from http to https. */
export async function checkHost(
  pages: LivePage[],
  { siteUrl }: Target,
  signal: AbortSignal,
): Promise<Result> {
  const found = new Map<string, number>();
  for (const addition of pages.flatMap(findAdditions)) found.set(addition, (found.get(addition) ?? 0) + 1);
  const faults = [...found].map(([addition, count]) => `${count} of ${pages.length} pages have ${addition}`);
  if (await isServedOpenly(siteUrl, signal))
    faults.push(`the site answers over http: without leading to https`);
  const advice = faults.map((fault) => additions.find(([mark]) => mark.test(fault))![1]);
  return judge(faults, 'serves the pages as they were built', [...new Set(advice)].join(' '));
}

/** Lists the start of each element that is not ours in a page: scripts that its own policy does not name, rewritten addresses, a challenge. */
function findAdditions({ html, headers }: LivePage): string[] {
  const challenge = /<title>Just a moment[^<]*/.exec(html);
  if (challenge) return challenge;
  const policy = headers.get('content-security-policy') ?? '';
  const scripts = [...html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/gi)].filter(
    ([, attributes = '', code = '']) => {
      if (/\btype="?application\/(ld\+)?json/.test(attributes)) return false;
      const source = /\bsrc\s*=\s*["']?([^"'\s>]+)/.exec(attributes)?.[1];
      if (source !== undefined) return !source.startsWith('/_astro/');
      return !policy.includes(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
    },
  );
  const addresses = html.match(/<[^<>]*\/cdn-cgi\/l\/email-protection/g) ?? [];
  // The mark that tells what it is may come late.
  return [...scripts.map(([script]) => script), ...addresses].map((element) => {
    const [mark = ''] = additions.slice(0, -1).flatMap(([pattern]) => pattern.exec(element)?.[0] ?? []);
    const start = element.slice(0, 60).replace(/\s+/g, ' ');
    return start.includes(mark) ? start : `${start} … ${mark}`;
  });
}

/** Returns whether a site on https also answers over http, where its forms do not work. */
async function isServedOpenly(siteUrl: string, signal: AbortSignal): Promise<boolean> {
  if (!siteUrl.startsWith('https:')) return false;
  const response = await fetch(siteUrl.replace('https:', 'http:'), { signal }).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined && !response.url.startsWith('https:');
}

const headerRules: Record<string, (value: string) => boolean> = {
  'content-security-policy': (value) => value.startsWith("default-src 'none'") && !value.includes("'unsafe-"),
  'strict-transport-security': (value) => /max-age=[1-9]\d{6,}/.test(value),
  'x-content-type-options': (value) => value === 'nosniff',
  'referrer-policy': (value) => !value.includes('unsafe-url'),
  'permissions-policy': () => true,
  'cross-origin-opener-policy': (value) => value.startsWith('same-origin'),
};

export function checkHeaders(pages: LivePage[]): Result {
  const faults = pages.flatMap(({ path, headers }) =>
    Object.entries(headerRules).flatMap(([name, accepts]) => {
      const value = headers.get(name);
      if (value === null) return [`${path} has no ${name}`];
      return accepts(value) ? [] : [`${path} has ${name}: ${value}`];
    }),
  );
  return judge(
    faults,
    'a strict policy and the other security headers on every page',
    'Deploy the site again. A host other than Cloudflare must send the headers in dist/_headers.',
  );
}

function listPaths({ html }: LivePage): string[] {
  return [...html.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
}

async function readPage(siteUrl: string, path: string, signal: AbortSignal) {
  const response = await fetch(new URL(path, siteUrl), {
    // Cloudflare changes pages only for clients that look like browsers.
    headers: { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0 (compatible; waitlist probe)' },
    signal,
  });
  return { path, status: response.status, headers: response.headers, html: await response.text() };
}

function readAttribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
