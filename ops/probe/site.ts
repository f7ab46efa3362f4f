import { unlistedPages } from '../../src/config/site.ts';
import { readAttribute, readElements, readText } from '../../src/build/headers/elements.ts';
import { hash } from '../../src/build/headers/inline-code.ts';
import { type Result, judge, warn } from './finding.ts';
import type { Target } from './target.ts';

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

/** Checks that every page exists, that the landing page has its form, and that an unknown path shows it with status 404. */
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
  const elements = readElements(html);
  const input = elements.findIndex((element) => readAttribute(element, 'name') === 'apikey');
  if (input < 0) return undefined;
  const form = elements.slice(0, input).findLast(({ tagName }) => tagName === 'form');
  const functionUrl = form && readAttribute(form, 'action');
  const publicKey = readAttribute(elements[input]!, 'value');
  if (!functionUrl || !publicKey || !URL.canParse(functionUrl)) return undefined;
  return { functionUrl, publicKey };
}

/** Checks that the host serves the pages as they were built, and redirects http to https. */
export async function checkHost(pages: LivePage[], { siteUrl }: Target, signal: AbortSignal) {
  const found = Map.groupBy(pages.flatMap(findAdditions), (addition) => addition);
  const faults = [...found].map(
    ([addition, { length }]) => `${length} of ${pages.length} pages have ${addition}`,
  );
  if (await isServedOpenly(siteUrl, signal))
    faults.push(`the site answers over http:// and does not redirect to https://`);
  const robots = await fetch(new URL('/robots.txt', siteUrl), { signal });
  // https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/
  if (faults.length === 0 && (await robots.text()).includes('BEGIN Cloudflare Managed'))
    return warn(
      'Cloudflare adds its own rules to robots.txt, which shut out bots',
      'Switch it off if you did not choose it: docs/deploy.md, “Cloudflare and DNS”, says where.',
    );
  return judge(
    faults,
    'serves the pages as they were built',
    'Switch off what adds scripts, and switch on "Always Use HTTPS": docs/deploy.md, “Cloudflare and DNS”, says where.',
  );
}

/**
 * Lists the start of each element that is not ours in a page: scripts that its own policy does not name, such as
 * those of a challenge, and rewritten addresses. Our policy blocks all of it, with an error in the console of every visitor.
 */
function findAdditions({ html, headers }: LivePage): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const additions = readElements(html).filter((element) => {
    if (element.attrs.some(({ value }) => value.includes('/cdn-cgi/l/email-protection'))) return true;
    const isData = /^application\/(ld\+)?json/.test(readAttribute(element, 'type') ?? '');
    if (element.tagName !== 'script' || isData) return false;
    const source = readAttribute(element, 'src');
    return source === undefined ? !policy.includes(hash(readText(element))) : !source.startsWith('/_astro/');
  });
  return additions.map(({ sourceCodeLocation: place }) =>
    html.slice(place?.startOffset).slice(0, 80).replace(/\s+/g, ' '),
  );
}

/** Returns whether a site on https also answers over http. */
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

/** Checks that every page has the security headers, and that they are strict. */
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
