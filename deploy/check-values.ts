import postgres from 'postgres';
import type { Values, VariableName } from '../functions/variables.ts';
import { readDatabaseUrl } from './database-url.ts';
import { readDomain, readProjectRef } from './faults.ts';

const PATIENCE = 10_000; // milliseconds for one service

/** The result of checking a value with its service. */
export interface Check {
  variable: VariableName;
  /** `FIX` stops a deployment. `LOOK` does not: the site goes live, but something will not work. */
  state: 'ok' | 'LOOK' | 'FIX' | 'not checked';
  text: string;
}

/**
 * Checks values without faults with their services, without changing anything there. A value that is missing is not
 * checked. Never throws.
 */
export async function checkValues(values: Values): Promise<Check[]> {
  const { PUBLIC_SUPABASE_URL: url, SUPABASE_ACCESS_TOKEN: token } = values;
  const checks = [checkDatabase(values), checkResend(values), checkCloudflare(values)];
  if (url) {
    for (const name of ['PUBLIC_SUPABASE_ANON_KEY', 'SUPABASE_SECRET_KEY'] as const)
      if (values[name]) checks.push(ask(name, new URL('/auth/v1/health', url), { apikey: values[name] }));
    const project = `https://api.supabase.com/v1/projects/${readProjectRef(values)}`;
    if (token) checks.push(ask('SUPABASE_ACCESS_TOKEN', project, bearer(token)));
  }
  return (await Promise.all(checks)).filter((check) => check !== undefined);
}

async function checkDatabase(values: Values): Promise<Check | undefined> {
  const { SUPABASE_DB_URL: url, SUPABASE_DB_PASSWORD: password } = values;
  if (!url || !password) return undefined;
  const sql = postgres(readDatabaseUrl(url), {
    password,
    max: 1,
    connect_timeout: PATIENCE / 1000,
    onnotice: () => {},
  });
  const variable = 'SUPABASE_DB_PASSWORD';
  try {
    await sql`select 1`;
    return { variable, state: 'ok', text: 'the database accepts it' };
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('28'))
      return { variable, state: 'FIX', text: 'the database refuses it: copy or reset it' };
    return { variable, state: 'not checked', text: 'the database cannot be reached from here' };
  } finally {
    await sql.end();
  }
}

async function checkResend(values: Values): Promise<Check | undefined> {
  const { RESEND_API_KEY: key, PUBLIC_EMAIL_SENDER: sender } = values;
  if (!key) return undefined;
  return ask('RESEND_API_KEY', 'https://api.resend.com/domains', bearer(key), (body, status) => {
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
}

async function checkCloudflare(values: Values): Promise<Check | undefined> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account } = values;
  if (!token || !account) return undefined;
  const url = `https://api.cloudflare.com/client/v4/accounts/${account}/workers/subdomain`;
  return ask('CLOUDFLARE_API_TOKEN', url, bearer(token), ({ errors }) => {
    // wrangler reads this code as an account without a name below workers.dev, and would ask for one in the terminal.
    if (!errors?.some(({ code }) => code === 10007)) return undefined;
    const text =
      'the account has no name below workers.dev yet: open Workers & Pages in the Cloudflare dashboard once';
    return { state: 'FIX', text };
  });
}

/** The parts that we read of the services' JSON. */
interface Body {
  name?: string;
  data?: unknown;
  errors?: { code?: number }[];
}

/** Calls a service. Without a judgement of its answer, the service accepts or refuses what it was asked with. */
async function ask(
  variable: VariableName,
  url: string | URL,
  headers: Record<string, string>,
  judge: (body: Body, status: number) => Omit<Check, 'variable'> | undefined = () => undefined,
): Promise<Check> {
  const { host } = new URL(url);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
    const { ok, status } = response;
    const judgement = judge((await response.json().catch(() => ({}))) as Body, status);
    if (judgement) return { variable, ...judgement };
    if (ok) return { variable, state: 'ok', text: `${host} accepts it` };
    if (status >= 500 || status === 429)
      return { variable, state: 'not checked', text: `${host} answered ${status}` };
    return { variable, state: 'FIX', text: `${host} refuses it (${status}): create or copy it again` };
  } catch {
    return { variable, state: 'not checked', text: `${host} cannot be reached from here` };
  }
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
