import { pages as links, placeholders, social } from '../../src/site.ts';
import { fail, type Finding, judge, pass } from './finding.ts';
import type { Target } from './target.ts';

/** A page as it came over the wire. */
export interface LivePage {
  path: string;
  status: number;
  headers: Headers;
  html: string;
}

/** What the form of the landing page names: where it leads, and with which key. */
export interface LiveForm {
  functionUrl: string;
  publicKey: string;
}

const paths = ['/', ...Object.values(links).map(({ link }) => link), '/welcome', '/leave'];

/** Fetches every page of the site. Rejects when the site cannot be reached. */
export function readPages({ siteUrl }: Target, signal: AbortSignal): Promise<LivePage[]> {
  return Promise.all(paths.map((path) => readPage(siteUrl, path, signal)));
}

/** Checks that every page is there. */
export function checkPages(pages: LivePage[], { siteUrl, isLocal }: Target): Finding {
  const faults = pages
    .filter(
      ({ status, headers }) => status !== 200 || !/^text\/html\b/.test(headers.get('content-type') ?? ''),
    )
    .map(({ path, status }) => `${path} answers ${status}`);
  if (!isLocal && !siteUrl.startsWith('https:')) faults.push('the site is not served by HTTPS');
  return judge(
    'pages',
    faults,
    `${pages.length} pages at ${siteUrl}`,
    'Deploy the site again, from a complete build.',
  );
}

/** Reads the form of the landing page; `undefined` when there is none that works without a script. */
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

/** Checks where the form leads, and that its key is a public one. */
export function checkForm(form: LiveForm | undefined, { isLocal }: Target): Finding {
  const todo = 'Build the site again with the PUBLIC_… values of this deployment (README, “Build it alone”).';
  if (!form) return fail('form', 'the landing page has no form with a function and a key', todo);
  const { functionUrl, publicKey } = form;
  if (/^sb_secret_/.test(publicKey))
    return fail('form', 'the page carries a secret key', `Revoke that key at Supabase at once. ${todo}`);
  if (!isLocal && !functionUrl.startsWith('https:'))
    return fail('form', `the form leads to ${functionUrl}`, `${todo} PUBLIC_DEV_MODE is not to be true.`);
  return pass('form', `leads to ${functionUrl}`);
}

/** Checks that no page shows a value that the product is shipped with. */
export function checkPlaceholders(pages: LivePage[], { isLocal }: Target): Finding {
  if (isLocal) return pass('placeholders', 'may stand on this machine');
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

/** Checks that what is not there is a 404 that looks like the landing page, and that a missing asset is a 404. */
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
    'Have the host serve 404.html, with status 404, for what it does not know.',
  );
}

async function readPage(siteUrl: string, path: string, signal: AbortSignal): Promise<LivePage> {
  const response = await fetch(new URL(path, siteUrl), {
    signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
  });
  return { path, status: response.status, headers: response.headers, html: await response.text() };
}

function readAttribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
