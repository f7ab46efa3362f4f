import postgres from 'postgres';
import { readDatabaseUrl } from './database-url.ts';
import { readProjectRef } from './obstacles.ts';
import type { Check } from './checks.ts';
import type { Values } from './variables.ts';

const PATIENCE = 10_000; // milliseconds for one service

/** Where the services are asked. */
export interface Addresses {
  supabase: string;
  resend: string;
  cloudflare: string;
}

/** Shows the keys to their services, which changes nothing there, and tells what each said. Never throws. */
export function checkCredentials(values: Values, addresses: Addresses): Promise<Check[]> {
  const { PUBLIC_SUPABASE_URL: project, CLOUDFLARE_ACCOUNT_ID: account } = values;
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const checks: Promise<Check>[] = [];
  if (project) {
    for (const name of ['PUBLIC_SUPABASE_ANON_KEY', 'SUPABASE_SECRET_KEY'] as const) {
      const key = values[name];
      if (key) checks.push(ask(name, `${project.replace(/\/$/, '')}/auth/v1/health`, { apikey: key }));
    }
  }
  if (values.SUPABASE_ACCESS_TOKEN) {
    const url = `${addresses.supabase}/v1/projects/${readProjectRef(values) ?? ''}`;
    checks.push(ask('SUPABASE_ACCESS_TOKEN', url, bearer(values.SUPABASE_ACCESS_TOKEN)));
  }
  if (values.SUPABASE_DB_URL && values.SUPABASE_DB_PASSWORD) {
    checks.push(connect(values.SUPABASE_DB_URL, values.SUPABASE_DB_PASSWORD));
  }
  if (values.RESEND_API_KEY) {
    checks.push(ask('RESEND_API_KEY', `${addresses.resend}/domains`, bearer(values.RESEND_API_KEY)));
  }
  if (values.CLOUDFLARE_API_TOKEN && account) {
    const url = `${addresses.cloudflare}/accounts/${account}/workers/scripts`;
    checks.push(ask('CLOUDFLARE_API_TOKEN', url, bearer(values.CLOUDFLARE_API_TOKEN)));
  }
  return Promise.all(checks);
}

async function ask(name: string, url: string, headers: Record<string, string>): Promise<Check> {
  const { host } = new URL(url);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
    const answer = await response.text();
    // Resend's word for a key that may send and nothing else: just what the function needs.
    if (response.ok || answer.includes('restricted_api_key')) {
      return { subject: name, state: 'good', text: `${host} takes it` };
    }
    if (response.status >= 500 || response.status === 429) {
      return { subject: name, state: 'unchecked', text: `${host} answered ${response.status}` };
    }
    return {
      subject: name,
      state: 'bad',
      text: `${host} refuses it (${response.status}): make or copy it again`,
    };
  } catch {
    return { subject: name, state: 'unchecked', text: `${host} cannot be reached from here` };
  }
}

async function connect(url: string, password: string): Promise<Check> {
  const subject = 'SUPABASE_DB_PASSWORD';
  const sql = postgres(readDatabaseUrl(url), {
    password,
    max: 1,
    connect_timeout: PATIENCE / 1000,
    onnotice: () => {},
  });
  try {
    await sql`select 1`;
    return { subject, state: 'good', text: 'the database takes it' };
  } catch (error) {
    const { code } = error as { code?: string };
    return code?.startsWith('28')
      ? { subject, state: 'bad', text: 'the database refuses it: copy or reset it' }
      : { subject, state: 'unchecked', text: 'the database cannot be reached from here' };
  } finally {
    await sql.end();
  }
}
