import { pages as links, placeholders, social } from '../src/site.ts';
import { fail, type Finding, judge, pass } from './finding.ts';
import type { Target } from './target.ts';

/** A page as the host served it. */
export interface LivePage {
  path: string;
  status: number;
  headers: Headers;
  html: string;
}

/** Where the form of the landing page leads, and with which key. */
export interface LiveForm {
  functionUrl: string;
  publicKey: string;
}

const paths = ['/', ...Object.values(links).map(({ link }) => link), '/welcome', '/leave'];

/** Fetches every page of the site. Rejects if the site cannot be reached. */
export function readPages({ siteUrl }: Target, signal: AbortSignal): Promise<LivePage[]> {
  return Promise.all(paths.map((path) => readPage(siteUrl, path, signal)));
}

/** Checks that every page exists. */
export function checkPages(pages: LivePage[], { siteUrl, isLocal }: Target): Finding {
  const faults = pages
    .filter(
      ({ status, headers }) => status !== 200 || !/^text\/html\b/.test(headers.get('content-type') ?? ''),
    )
    .map(({ path, status }) => `${path} answers ${status}`);
  if (!isLocal && !siteUrl.startsWith('https:')) faults.push('the site is not served by HTTPS');
  return judge('pages', faults, `${pages.length} pages at ${siteUrl}`, 'Deploy the site again.');
}

/** Reads the form of the landing page; `undefined` if it has none that works without JavaScript. */
export function readForm(html: string): LiveForm | undefined {
  const input = /<input\b[^>]*\bname="apikey"[^>]*>/.exec(html);
  const form =
    input &&
    html
      .slice(0, input.index)
      .match(/<form\b[^>]*>/g)
      ?.at(-1);
  const functionUrl = form && readAttribute(form, 'action');
  const publicKey = input && readAttribute(input[0], 'value');
  if (!functionUrl || !publicKey || !URL.canParse(functionUrl)) return undefined;
  return { functionUrl, publicKey };
}

/** Checks where the form leads, and that its key is public. */
export function checkForm(form: LiveForm | undefined, { isLocal }: Target): Finding {
  const todo = 'Build and deploy the site again with the PUBLIC_… values of this deployment.';
  if (!form) return fail('form', 'the landing page has no form with a function and a key', todo);
  const { functionUrl, publicKey } = form;
  if (/^sb_secret_/.test(publicKey))
    return fail('form', 'the page carries a secret key', `Revoke that key at Supabase now. ${todo}`);
  if (!isLocal && !functionUrl.startsWith('https:'))
    return fail('form', `the form leads to ${functionUrl}`, `${todo} PUBLIC_DEV_MODE must not be true.`);
  return pass('form', `leads to ${functionUrl}`);
}

/** Checks that no page shows a placeholder that the product ships with. */
export function checkPlaceholders(pages: LivePage[], { isLocal }: Target): Finding {
  if (isLocal) return pass('placeholders', 'allowed on this machine');
  const reserved = Object.values(social)
    .flatMap(({ link, alternative }) => [link, alternative])
    .filter((link) => new URL(link).hostname.endsWith('.example'));
  const contacts = Object.values(placeholders).map((value) => /<([^>]+)>/.exec(value)?.[1] ?? value);
  const faults = pages.flatMap(({ path, html }) =>
    [...contacts, ...reserved]
      .filter((value) => html.includes(value))
      .map((value) => `${path} shows ${value}`),
  );
  return judge(
    'placeholders',
    faults,
    'none on any page',
    'Set the contacts (PUBLIC_…) and the links in src/site.ts, and deploy the site again.',
  );
}

/** Checks that the host serves the pages as they were built: our policy would block what Cloudflare adds by default. */
export function checkHost(pages: LivePage[]): Finding {
  const changes = {
    'cloudflareinsights.com': 'an analytics script',
    '/cdn-cgi/l/email-protection': 'rewritten e-mail addresses',
    '/cdn-cgi/scripts/': 'a script of Cloudflare',
  };
  const faults = pages.flatMap(({ path, html }) =>
    Object.entries(changes).flatMap(([mark, what]) => (html.includes(mark) ? [`${path} has ${what}`] : [])),
  );
  return judge(
    'host',
    faults,
    'serves the pages as they were built',
    'At Cloudflare, switch off Web Analytics (automatic setup) and Email Address Obfuscation for this domain.',
  );
}

/** Checks that an unknown page is a 404 that shows the landing page, and a missing asset a 404. */
export async function checkUnknownPaths({ siteUrl }: Target, signal: AbortSignal): Promise<Finding> {
  const [page, asset] = await Promise.all([
    readPage(siteUrl, '/no-such-page', signal),
    readPage(siteUrl, '/_astro/no-such-asset.js', signal),
  ]);
  const faults = [page, asset]
    .filter(({ status }) => status !== 404)
    .map(({ path, status }) => `${path} answers ${status}`);
  if (readForm(page.html) === undefined) faults.push(`${page.path} is not the landing page`);
  return judge(
    'unknown paths',
    faults,
    'answer 404 with the landing page',
    'Make the host serve 404.html with status 404 for unknown paths.',
  );
}

async function readPage(siteUrl: string, path: string, signal: AbortSignal): Promise<LivePage> {
  const response = await fetch(new URL(path, siteUrl), {
    // Cloudflare changes pages only for what looks like a browser.
    headers: { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0 (compatible; waitlist probe)' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
  });
  return { path, status: response.status, headers: response.headers, html: await response.text() };
}

function readAttribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
