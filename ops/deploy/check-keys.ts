import type { Values, VariableName } from '../../shared/variables.ts';
import { makeFingerprint } from '../../functions/_shared/mailbox.ts';
import { otherSecret, readFingerprint, useDatabase } from '../database.ts';
import { readTokenSecrets } from '../project.ts';
import { explainAnswer, explainSilence } from '../explain-answer.ts';
import { formatCount, say } from '../output.ts';
import { site } from '../../src/config/site.ts';
import { findFaults, findUnread, listHosts, omitFaulty, readDomain, readProjectRef } from './check-values.ts';

const TIMEOUT = 10_000; // milliseconds for one service

interface Check {
  /** `FIX` stops a deployment. */
  state: 'ok' | 'FIX' | 'not checked';
  /** Starts with the name of what was checked. */
  text: string;
  body?: Body;
}

const accept = (text: string): Check => ({ state: 'ok', text });
const refuse = (text: string): Check => ({ state: 'FIX', text });
const leaveOpen = (text: string): Check => ({ state: 'not checked', text });

/**
 * Checks the values and how `.env` is written, then asks the service of each key without a fault whether it accepts the key. Prints
 * what it finds, and returns how many things stop a deployment, and a sentence about the values that could not be checked.
 */
export async function checkValues(values: Values, written: string, hasNewSecret = false) {
  const faults = findFaults(values, written);
  const answers = await Promise.all(checkKeys(omitFaulty(values, faults), hasNewSecret));
  const checks = [...findUnread(written).map(leaveOpen), ...answers.flat()];
  // Two calls may get the same answer.
  const found = [...new Map(checks.map((check) => [check.text, check])).values()];
  for (const { state, text } of found) if (state !== 'FIX') say(`${state.padEnd(11)}  ${text}`);
  const refused = found.filter(({ state }) => state === 'FIX').map(({ text }) => text);
  const obstacles = [...faults.map(({ text }) => text), ...refused];
  if (obstacles.length > 0) say(['Fix these before deploying:', ...obstacles].join('\n  '));
  const unchecked = found.filter(({ state }) => state === 'not checked').length;
  const remark = unchecked === 0 ? '' : ` ${formatCount(unchecked, 'value')} could not be checked.`;
  return { obstacles: obstacles.length, remark };
}

type KeyHeaders = Record<string, string>;

/** Checks what else a deployment needs from a service that accepts the key. */
type LookFurther = (values: Values, headers: KeyHeaders, body?: Body) => Promise<Check[]>;

/** Makes the calls of a deployment that change nothing. */
function checkKeys(values: Values, hasNewSecret: boolean): Promise<Check[]>[] {
  const { PUBLIC_SUPABASE_URL: project, CLOUDFLARE_ACCOUNT_ID: account } = values;
  const health = project && new URL('/auth/v1/health', project).href;
  const reference = readProjectRef(values);
  const supabase = reference && `https://api.supabase.com/v1/projects/${reference}`;
  const calls: [name: VariableName, url: string | undefined, lookFurther?: LookFurther][] = [
    ['PUBLIC_SUPABASE_ANON_KEY', health],
    ['SUPABASE_SECRET_KEY', health],
    ['SUPABASE_ACCESS_TOKEN', supabase && `${supabase}/functions`],
    ['SUPABASE_ACCESS_TOKEN', supabase && `${supabase}/secrets`, async () => [leaveOpen(writing)]],
    ['RESEND_API_KEY', 'https://api.resend.com/domains', checkDomain],
    ['CLOUDFLARE_API_TOKEN', account && `${cloudflare}/accounts/${account}/workers/scripts`, checkHosts],
  ];
  const checks = calls.map(async ([name, url, lookFurther]) => {
    const key = values[name];
    if (!key || !url) return [];
    const headers: KeyHeaders = url === health ? { apikey: key } : { Authorization: `Bearer ${key}` };
    const check = await ask(name, url, headers);
    if (check.state !== 'ok' || !lookFurther) return [check];
    return [check, ...(await lookFurther(values, headers, check.body))];
  });
  return [...checks, checkDatabase(values, hasNewSecret)];
}

const writing =
  'SUPABASE_ACCESS_TOKEN: whether it may write. Edge Functions and Edge Function Secrets must be read-write.';

const cloudflare = 'https://api.cloudflare.com/client/v4';

/** Checks that the account has the hosts of the site. https://developers.cloudflare.com/api/resources/zones/methods/list/ */
async function checkHosts(values: Values, headers: KeyHeaders): Promise<Check[]> {
  const name = 'CLOUDFLARE_API_TOKEN';
  const account = values.CLOUDFLARE_ACCOUNT_ID;
  const read = (path: string) => ask(name, cloudflare + path, headers);
  const listed = await read(`/zones?account.id=${account}&per_page=50`);
  const zones = (listed.body?.result ?? []) as NonNullable<Body['data']>;
  const { text, body } = await read(`/accounts/${account}/workers/subdomain`);
  const guide = 'docs/deploy.md, “Cloudflare and DNS”';
  // Without one, an account refuses the first upload: https://github.com/cloudflare/workers-sdk/pull/14494
  if (text.includes('(10007)'))
    return [refuse(`CLOUDFLARE_ACCOUNT_ID: the account has no workers.dev subdomain yet. See ${guide}.`)];
  const { subdomain } = (body?.result ?? {}) as { subdomain?: string };
  return [
    leaveOpen(`${name}: whether it may write. The template "Edit Cloudflare Workers" may.`),
    ...(await Promise.all(listHosts(values).map((host) => checkVacancy(host, values)))).flat(),
    ...listHosts(values).map((host) => {
      const own = `${host.split('.')[0]}.${subdomain}.workers.dev`;
      if (subdomain && host.endsWith('.workers.dev') && host !== own)
        return refuse(`PUBLIC_SITE_URL: your account at Cloudflare has the host ${own}, not ${host}.`);
      const zone = zones.find((one) => `.${host}`.endsWith(`.${one.name}`));
      if (host === own || zone?.status === 'active') return accept(`${host}: ${name} includes it.`);
      if (zone)
        return refuse(
          `${host}: Cloudflare says that ${zone.name} is ${zone.status}. Wait until it is active: ${guide}.`,
        );
      // A token may use a domain that it does not list: https://github.com/cloudflare/wrangler-legacy/pull/1941
      return leaveOpen(
        `${host}: ${name} does not show the domain. Check that the token includes it: ${guide}.`,
      );
    }),
  ];
}

/** Looks for another website at a host: wrangler 4.155 takes a host over, and asks only in a terminal. */
async function checkVacancy(host: string, values: Values): Promise<Check[]> {
  const page = await fetch(`https://${host}`, { signal: AbortSignal.timeout(TIMEOUT) }).catch(() => null);
  const text = await page?.text().catch(() => '');
  // A host without a website cannot be reached, or its gateway says so: 404 at workers.dev, 5xx elsewhere.
  if (!page || page.status === 404 || page.status >= 500) return [];
  if (text?.includes(values.PUBLIC_EMAIL_FUNCTION_URL ?? site.emailFunctionPath)) return [];
  return [leaveOpen(`${host}: whether you still need the other website there. A deployment replaces it.`)];
}

/** Connects to the database as the steps do, and checks that TOKEN_SECRET is the one that made its hashes. */
async function checkDatabase(values: Values, hasNewSecret: boolean): Promise<Check[]> {
  if (!values.SUPABASE_DB_URL || !values.SUPABASE_DB_PASSWORD) return [];
  const name = 'SUPABASE_DB_PASSWORD';
  try {
    const known = await useDatabase(values, readFingerprint);
    const accepted = accept(`${name}: the database accepts it.`);
    if (!known || !values.TOKEN_SECRET || hasNewSecret) return [accepted];
    if (known !== makeFingerprint(readTokenSecrets(values))) return [accepted, refuse(otherSecret)];
    return [accepted, accept('TOKEN_SECRET: it made the hashes of the database.')];
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    // 28: a wrong password. XX000: the pooler does not know the user.
    const isRefused = /^(28|XX000)/.test(cause?.code ?? '');
    const text = `${name}: ${message}`;
    return [isRefused ? refuse(text) : leaveOpen(text)];
  }
}

/**
 * Checks what Resend says about the domain of the sender; without `domains`, the key may only send. Tracking would break what the
 * privacy policy promises.
 */
async function checkDomain(values: Values, headers: KeyHeaders, { data: domains }: Body = {}) {
  if (!values.PUBLIC_EMAIL_SENDER) return [];
  const name = readDomain(values.PUBLIC_EMAIL_SENDER);
  const page = 'https://resend.com/domains';
  if (!domains) {
    const todo = `Look at ${page}: the domain must be verified, with tracking off.`;
    return [leaveOpen(`${name}: RESEND_API_KEY may only send. ${todo}`)];
  }
  const domain = domains.find((candidate) => candidate.name === name);
  if (!domain) return [refuse(`${name}: it is not among your domains at Resend. See ${page}.`)];
  // A domain that sends may have another status, such as "partially_verified": https://github.com/resend/resend-node/pull/937
  if (/^(not_started|pending|failed)$/.test(domain.status))
    return [refuse(`${name}: Resend has not verified it yet. See ${page}.`)];
  // https://resend.com/docs/dashboard/domains/introduction
  if (/fail/.test(domain.status))
    return [leaveOpen(`${name}: Resend says ${domain.status}. Look at ${page}.`)];
  const check = await ask(name, `https://api.resend.com/domains/${domain.id}`, headers);
  if (!check.body?.open_tracking && !check.body?.click_tracking) return [check];
  return [refuse(`${name}: tracking of opens or clicks breaks the privacy policy. Switch it off: ${page}.`)];
}

/** The parts of the services' JSON that we read. https://resend.com/docs/api-reference/domains/list-domains */
interface Body {
  name?: string;
  data?: Record<'id' | 'name' | 'status', string>[];
  result?: unknown;
  open_tracking?: boolean;
  click_tracking?: boolean;
}

/** Names the value that says where a key is used. */
function findPlace(key: string): VariableName | undefined {
  if (key.includes('SUPABASE')) return 'PUBLIC_SUPABASE_URL';
  return key.includes('CLOUDFLARE') ? 'CLOUDFLARE_ACCOUNT_ID' : undefined;
}

async function ask(subject: string, url: string, headers: KeyHeaders): Promise<Check> {
  const { host } = new URL(url);
  let body: Body = {};
  const report = (state: Check['state'], text: string) => ({ state, text: `${subject}: ${text}`, body });
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT) });
    const { ok, status } = response;
    const text = (await response.text()).replaceAll(Object.values(headers)[0]!.replace('Bearer ', ''), '***');
    if (/^\{/.test(text)) body = JSON.parse(text) as Body;
    // https://resend.com/docs/api-reference/errors: this key may only send, and the function needs no more.
    if ((ok && /^[[{]/.test(text)) || body.name === 'restricted_api_key')
      return report('ok', `${host} accepts it.`);
    const explained = explainAnswer(host, status, text);
    if (status === 402 || status === 540) return report('FIX', explained);
    if (status >= 500 || status === 429) return report('not checked', explained);
    const place = findPlace(subject);
    if (place && (status === 404 || ok))
      return refuse(`${place}: ${explained} Copy the one that belongs to ${subject}.`);
    const todo =
      place && status === 403
        ? `Create one with the rights that .env.example names, for ${place}.`
        : 'Copy it again, or create a new one.';
    return report('FIX', `${explained.replace('answered', 'refuses it:')} ${todo}`);
  } catch (error) {
    return report('not checked', explainSilence(host, error));
  }
}
