import { Resolver } from 'node:dns/promises';
import postgres from 'postgres';
import { describeFault, type Values } from '../ground/variables.ts';
import { findFaults, listHosts, omitFaulty, readDomain, readProjectRef } from './faults.ts';
import { readDatabaseUrl } from './values.ts';

const PATIENCE = 10_000; // milliseconds for one service

interface Check {
  /** `FIX` stops a deployment. `LOOK` does not: the site goes live, but something will not work. */
  state: 'ok' | 'LOOK' | 'FIX' | 'not checked';
  /** Starts with the name of what was checked. */
  text: string;
}

/**
 * Checks the values on their own, then those without a fault with their services and with DNS. Prints what it finds, and
 * returns how many things stop a deployment, and a sentence about the values that could not be checked or need a look.
 */
export async function checkValues(values: Values): Promise<{ obstacles: number; remark: string }> {
  const faults = findFaults(values);
  const usable = omitFaulty(values, faults);
  const checks = [checkSupabase, checkDatabase, checkResend, checkCloudflare].map((check) => check(usable));
  const found = (await Promise.all(checks)).flat();
  for (const { state, text } of found) if (state !== 'FIX') console.log(`${state.padEnd(11)}  ${text}`);
  const refused = found.filter(({ state }) => state === 'FIX').map(({ text }) => `${text}.`);
  const obstacles = [...faults.map(describeFault), ...refused];
  if (obstacles.length > 0) console.log(['Fix these before deploying:', ...obstacles].join('\n  '));
  const count = (state: Check['state']) => found.filter((check) => check.state === state).length;
  const [unchecked, look] = [count('not checked'), count('LOOK')];
  const parts = [
    ...(unchecked ? [`${unchecked} ${unchecked === 1 ? 'value' : 'values'} could not be checked`] : []),
    ...(look ? [`${look} ${look === 1 ? 'needs' : 'need'} a look`] : []),
  ];
  return { obstacles: obstacles.length, remark: parts.length > 0 ? ` ${parts.join(', ')}.` : '' };
}

async function checkSupabase(values: Values): Promise<Check[]> {
  const { PUBLIC_SUPABASE_URL: url, SUPABASE_ACCESS_TOKEN: token } = values;
  if (!url) return [];
  const calls = (['PUBLIC_SUPABASE_ANON_KEY', 'SUPABASE_SECRET_KEY'] as const).flatMap((name) => {
    const apikey = values[name];
    return apikey ? [ask(name, new URL('/auth/v1/health', url), { apikey })] : [];
  });
  const project = `https://api.supabase.com/v1/projects/${readProjectRef(values)}`;
  if (token) calls.push(ask('SUPABASE_ACCESS_TOKEN', project, bearer(token)));
  return Promise.all(calls);
}

async function checkDatabase(values: Values): Promise<Check[]> {
  const { SUPABASE_DB_URL: url, SUPABASE_DB_PASSWORD: password } = values;
  if (!url || !password) return [];
  const sql = postgres(readDatabaseUrl(url), {
    password,
    max: 1,
    connect_timeout: PATIENCE / 1000,
    onnotice: () => {},
  });
  const name = 'SUPABASE_DB_PASSWORD';
  try {
    await sql`select 1`;
    return [{ state: 'ok', text: `${name}: the database accepts it` }];
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('28'))
      return [{ state: 'FIX', text: `${name}: the database refuses it. Copy it again, or reset it` }];
    return [{ state: 'not checked', text: `${name}: the database cannot be reached from here` }];
  } finally {
    await sql.end();
  }
}

async function checkResend(values: Values): Promise<Check[]> {
  const { RESEND_API_KEY: key, PUBLIC_EMAIL_SENDER: sender } = values;
  if (!key) return [];
  const check = await ask('RESEND_API_KEY', 'https://api.resend.com/domains', bearer(key));
  // https://resend.com/docs/api-reference/errors: this key may only send, and the function needs no more.
  if (check.body.name === 'restricted_api_key')
    return [{ state: 'ok', text: 'RESEND_API_KEY: api.resend.com accepts it' }];
  if (check.state !== 'ok' || !sender) return [check];
  const domain = readDomain(sender);
  const added = check.body.data?.find(({ name }) => name === domain);
  if (added?.status === 'verified')
    return [check, { state: 'ok', text: `${domain}: Resend has verified it` }];
  const problem = added ? 'Resend has not verified it yet' : 'it is not among your domains at Resend';
  const text = `${domain}: ${problem}. See https://resend.com/domains`;
  return [check, { state: 'LOOK', text }];
}

const cloudflare = 'https://api.cloudflare.com/client/v4';

async function checkCloudflare(values: Values): Promise<Check[]> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account, PUBLIC_SITE_URL } = values;
  if (!token || !account) return [];
  const hosts = PUBLIC_SITE_URL ? listHosts(values) : [];
  const domains = hosts.filter((host) => !host.endsWith('.workers.dev'));
  const checks = domains.map((host) => checkHost(host, token, account));
  return Promise.all([checkAccount(token, account), ...checks]);
}

async function checkAccount(token: string, account: string): Promise<Check> {
  const url = `${cloudflare}/accounts/${account}/workers/subdomain`;
  const check = await ask('CLOUDFLARE_API_TOKEN', url, bearer(token));
  // wrangler reads this code as an account without a workers.dev subdomain, and would ask for one in the terminal.
  if (!check.body.errors?.some(({ code }) => code === 10007)) return check;
  const text =
    'CLOUDFLARE_ACCOUNT_ID: the account has no workers.dev subdomain yet. Open Workers & Pages in the Cloudflare dashboard once';
  return { state: 'FIX', text };
}

async function checkHost(host: string, token: string, account: string): Promise<Check> {
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  // If Cloudflare proxies a record, DNS does not show its CNAME. Only the upload finds it.
  const names = await resolver.resolveCname(host).catch(() => []);
  if (names.length > 0)
    return {
      state: 'FIX',
      text: `${host}: it has a CNAME record, which Cloudflare does not replace. Delete the record`,
    };
  // No rule says which part is the registered domain: example.co.uk has three labels.
  for (let zone = host; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
    const query = new URLSearchParams({ name: zone, 'account.id': account });
    const check = await ask(host, `${cloudflare}/zones?${query}`, bearer(token));
    if (check.state !== 'ok') return check;
    const status = check.body.result?.[0]?.status;
    if (status === 'active') return { state: 'ok', text: `${host}: ${zone} is active at Cloudflare` };
    const todo = 'At your registrar, set the nameservers that Cloudflare shows, and wait';
    if (status) return { state: 'FIX', text: `${host}: ${zone} is ${status} at Cloudflare. ${todo}` };
  }
  const todo = 'Add it there, and include it in the token’s zone resources';
  return { state: 'FIX', text: `${host}: its domain is not at Cloudflare. ${todo}` };
}

/** The parts of the services' JSON that we read. */
interface Body {
  name?: string;
  data?: { name: string; status: string }[];
  result?: { status: string }[];
  errors?: { code?: number }[];
}

/** Calls a service, and returns whether it accepts the key. */
async function ask(
  subject: string,
  url: string | URL,
  headers: Record<string, string>,
): Promise<Check & { body: Body }> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) }).catch(
    () => undefined,
  );
  const body = ((await response?.json().catch(() => undefined)) ?? {}) as Body;
  const say = (state: Check['state'], text: string) => {
    return { state, text: `${subject}: ${new URL(url).host} ${text}`, body };
  };
  if (!response) return say('not checked', 'cannot be reached from here');
  const { ok, status } = response;
  if (ok) return say('ok', 'accepts it');
  if (status >= 500 || status === 429) return say('not checked', `answered ${status}`);
  return say('FIX', `refuses it (${status}). Copy it again, or create a new one`);
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
