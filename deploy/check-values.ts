import { Resolver } from 'node:dns/promises';
import postgres from 'postgres';
import type { Values } from '../functions/variables.ts';
import { readDatabaseUrl } from './database-url.ts';
import { listHosts, readDomain, readProjectRef } from './faults.ts';

const PATIENCE = 10_000; // milliseconds for one service

/** The result of checking a value with a service or with DNS. */
export interface Check {
  /** The subject of the check: a variable, a host, a DNS record. */
  subject: string;
  /** `FIX` stops a deployment. `LOOK` does not: the site goes live, but something will not work. */
  state: 'ok' | 'LOOK' | 'FIX' | 'not checked';
  text: string;
}

/**
 * Checks values without faults with their services and with DNS, without changing anything there. A value that is missing
 * is not checked. Never throws.
 */
export async function checkValues(values: Values): Promise<Check[]> {
  const checks = [checkSupabase, checkDatabase, checkResend, checkCloudflare].map((check) => check(values));
  return (await Promise.all(checks)).flat();
}

async function checkSupabase(values: Values): Promise<Check[]> {
  const { PUBLIC_SUPABASE_URL: url, SUPABASE_ACCESS_TOKEN: token } = values;
  if (!url) return [];
  const keys = ['PUBLIC_SUPABASE_ANON_KEY', 'SUPABASE_SECRET_KEY'] as const;
  const calls = keys.flatMap((name) => {
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
  const subject = 'SUPABASE_DB_PASSWORD';
  try {
    await sql`select 1`;
    return [{ subject, state: 'ok', text: 'the database accepts it' }];
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('28'))
      return [{ subject, state: 'FIX', text: 'the database refuses it: copy or reset it' }];
    return [{ subject, state: 'not checked', text: 'the database cannot be reached from here' }];
  } finally {
    await sql.end();
  }
}

async function checkResend(values: Values): Promise<Check[]> {
  const { RESEND_API_KEY: key, PUBLIC_EMAIL_SENDER: sender } = values;
  if (!key) return [];
  const check = await ask('RESEND_API_KEY', 'https://api.resend.com/domains', bearer(key), (body, status) => {
    // https://resend.com/docs/api-reference/errors: this key may only send, and the function needs no more.
    if (status === 401 && body.name === 'restricted_api_key')
      return { state: 'ok', text: 'api.resend.com accepts it' };
    if (status >= 400 || !sender) return undefined;
    const domain = readDomain(sender);
    const domains = (body.data ?? []) as { name: string; status: string }[];
    const added = domains.find(({ name }) => name === domain);
    if (added?.status === 'verified')
      return { state: 'ok', text: `api.resend.com accepts it, and ${domain} is verified` };
    const text = `${domain} is ${added ? 'not verified yet' : 'not among your domains'}: see https://resend.com/domains`;
    return { state: 'LOOK', text };
  });
  return [check];
}

const cloudflare = 'https://api.cloudflare.com/client/v4';

async function checkCloudflare(values: Values): Promise<Check[]> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account, PUBLIC_SITE_URL } = values;
  if (!token || !account) return [];
  const url = `${cloudflare}/accounts/${account}/workers/subdomain`;
  const subdomain = ask('CLOUDFLARE_API_TOKEN', url, bearer(token), ({ errors }) => {
    // wrangler reads this code as an account without a name below workers.dev, and would ask for one in the terminal.
    if (!errors?.some(({ code }) => code === 10007)) return undefined;
    const text =
      'the account has no name below workers.dev yet: open Workers & Pages in the Cloudflare dashboard once';
    return { state: 'FIX', text };
  });
  const hosts = PUBLIC_SITE_URL ? listHosts(values) : [];
  const domains = hosts.filter((host) => !host.endsWith('.workers.dev'));
  return Promise.all([subdomain, ...domains.map((host) => checkHost(host, token, account))]);
}

async function checkHost(host: string, token: string, account: string): Promise<Check> {
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  // A record that Cloudflare proxies shows no CNAME in DNS. Only the upload finds that one.
  const names = await resolver.resolveCname(host).catch(() => []);
  if (names.length > 0) {
    const text = 'its DNS has a CNAME record, which Cloudflare does not replace: delete it';
    return { subject: host, state: 'FIX', text };
  }
  const labels = host.split('.');
  // No rule says where a registered domain begins: compare co.uk.
  for (const zone of labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))) {
    const query = new URLSearchParams({ name: zone, 'account.id': account });
    let isZone = true;
    const check = await ask(host, `${cloudflare}/zones?${query}`, bearer(token), ({ result }, status) => {
      if (status >= 400) return undefined;
      const [found] = (result ?? []) as { status: string }[];
      isZone = found !== undefined;
      if (!found || found.status === 'active')
        return { state: 'ok', text: `${zone} is active at Cloudflare` };
      const text = `${zone} is ${found.status} at Cloudflare: set the nameservers that Cloudflare names at your registrar, and wait`;
      return { state: 'FIX', text };
    });
    if (isZone) return check;
  }
  const text = 'its domain is not at Cloudflare: add it there, and include it in the token’s zone resources';
  return { subject: host, state: 'FIX', text };
}

/** The parts that we read of the services' JSON. */
interface Body {
  name?: string;
  data?: unknown;
  result?: unknown;
  errors?: { code?: number }[];
}

/** Calls a service. Without a judgement of its answer, the service accepts or refuses what it was asked with. */
async function ask(
  subject: string,
  url: string | URL,
  headers: Record<string, string>,
  judge: (body: Body, status: number) => Omit<Check, 'subject'> | undefined = () => undefined,
): Promise<Check> {
  const { host } = new URL(url);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
    const { ok, status } = response;
    const judgement = judge((await response.json().catch(() => ({}))) as Body, status);
    if (judgement) return { subject, ...judgement };
    if (ok) return { subject, state: 'ok', text: `${host} accepts it` };
    if (status >= 500 || status === 429)
      return { subject, state: 'not checked', text: `${host} answered ${status}` };
    return { subject, state: 'FIX', text: `${host} refuses it (${status}): create or copy it again` };
  } catch {
    return { subject, state: 'not checked', text: `${host} cannot be reached from here` };
  }
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
