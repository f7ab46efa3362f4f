import { Resolver } from 'node:dns/promises';
import postgres from 'postgres';
import type { Values, VariableName } from '../functions/variables.ts';
import type { Check } from './check.ts';
import { findPoolerFault, readDatabaseUrl } from './database-url.ts';
import { listHosts, readDomain, readProjectRef } from './faults.ts';

const PATIENCE = 10_000; // milliseconds for one service

/** Checks the values with their services and with DNS, without changing anything there. Never throws. */
export async function checkValues(values: Values): Promise<Check[]> {
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  const checks = await Promise.all([
    checkSupabase(values),
    checkDatabase(values),
    checkResend(values),
    checkCloudflare(values, resolver),
  ]);
  return [checkPooler(values), ...checks].flat();
}

async function checkSupabase(values: Values): Promise<Check[]> {
  const { PUBLIC_SUPABASE_URL: url, SUPABASE_ACCESS_TOKEN: token } = values;
  const ref = readProjectRef(values);
  if (!url || !ref) return [];
  const keys = ['PUBLIC_SUPABASE_ANON_KEY', 'SUPABASE_SECRET_KEY'] as const;
  return Promise.all([
    ...keys.flatMap((name) => {
      const apikey = values[name];
      return apikey ? [ask(name, new URL('/auth/v1/health', url), { apikey })] : [];
    }),
    ...(token
      ? [ask('SUPABASE_ACCESS_TOKEN', `https://api.supabase.com/v1/projects/${ref}`, bearer(token))]
      : []),
  ]);
}

async function checkResend({
  RESEND_API_KEY: key,
  PUBLIC_EMAIL_SENDER: sender,
}: Values): Promise<Check | []> {
  if (!key) return [];
  return ask('RESEND_API_KEY', 'https://api.resend.com/domains', bearer(key), (body, status) => {
    // https://resend.com/docs/api-reference/errors: this key may only send, and the function needs no more.
    if (status === 401 && body.name === 'restricted_api_key') return good('api.resend.com accepts it');
    if (status >= 400 || !sender) return undefined;
    const domain = readDomain(sender);
    const [added] = ((body.data ?? []) as { name: string; status: string }[]).filter(
      ({ name }) => name === domain,
    );
    if (added?.status === 'verified') return good(`api.resend.com accepts it, and ${domain} is verified`);
    return {
      state: 'look',
      text: `${domain} is ${added ? 'not verified yet' : 'not among your domains'}: see https://resend.com/domains`,
    };
  });
}

async function checkCloudflare(values: Values, resolver: Resolver): Promise<Check[]> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account } = values;
  if (!token || !account) return [];
  const api = 'https://api.cloudflare.com/client/v4';
  const subdomain = ask(
    'CLOUDFLARE_API_TOKEN',
    `${api}/accounts/${account}/workers/subdomain`,
    bearer(token),
    // wrangler reads this code as an account without a name below workers.dev, and would ask for one in the terminal.
    (body) =>
      body.errors?.some(({ code }) => code === 10007)
        ? bad(
            'the account has no name below workers.dev yet: open Workers & Pages in the Cloudflare dashboard once',
          )
        : undefined,
  );
  const hosts = values.PUBLIC_SITE_URL
    ? listHosts(values).filter((host) => !host.endsWith('.workers.dev'))
    : [];
  return Promise.all([subdomain, ...hosts.map((host) => checkHost(host))]);

  async function checkHost(host: string): Promise<Check> {
    const cname = await resolver.resolveCname(host).catch(() => []);
    if (cname.length > 0)
      return {
        subject: host,
        ...bad('its DNS has a CNAME record, which Cloudflare does not replace: delete it'),
      };
    const labels = host.split('.');
    // No rule says where a registered domain begins: compare co.uk.
    for (const zone of labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))) {
      const query = new URLSearchParams({ name: zone, 'account.id': account! });
      let isFound = false;
      const check = await ask(host, `${api}/zones?${query}`, bearer(token!), (body, status) => {
        const [found] = (body.result ?? []) as { status?: string }[];
        isFound = found !== undefined || status >= 400;
        if (found === undefined || found.status === 'active') return good(`${zone} is active at Cloudflare`);
        return bad(
          `${zone} is ${found.status} at Cloudflare: set the nameservers that Cloudflare names at your registrar, and wait`,
        );
      });
      if (isFound || check.state === 'unchecked') return check;
    }
    return {
      subject: host,
      ...bad('its domain is not at Cloudflare: add it there, and include it in the token’s zone resources'),
    };
  }
}

function checkPooler({ SUPABASE_DB_URL: url }: Values): Check | [] {
  const text = url && findPoolerFault(url);
  return text ? { subject: 'SUPABASE_DB_URL', state: 'look', text } : [];
}

async function checkDatabase(values: Values): Promise<Check | []> {
  const { SUPABASE_DB_URL: url, SUPABASE_DB_PASSWORD: password } = values;
  if (!url || !password) return [];
  const subject = 'SUPABASE_DB_PASSWORD';
  const sql = postgres(readDatabaseUrl(url), {
    password,
    max: 1,
    connect_timeout: PATIENCE / 1000,
    onnotice: () => {},
  });
  try {
    await sql`select 1`;
    return { subject, ...good('the database accepts it') };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code?.startsWith('28')) return { subject, ...bad('the database refuses it: copy or reset it') };
    return { subject, state: 'unchecked', text: 'the database cannot be reached from here' };
  } finally {
    await sql.end();
  }
}

/** The parts that we read of the services' JSON. */
interface Body {
  name?: string;
  data?: unknown;
  result?: unknown;
  errors?: { code?: number }[];
}

type Judgement = Omit<Check, 'subject'> | undefined;

async function ask(
  subject: VariableName | (string & {}),
  url: string | URL,
  headers: Record<string, string>,
  judge: (body: Body, status: number) => Judgement = () => undefined,
): Promise<Check> {
  const { host } = new URL(url);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
    const body = (await response.json().catch(() => ({}))) as Body;
    const judgement = judge(body, response.status);
    if (judgement) return { subject, ...judgement };
    if (response.ok) return { subject, ...good(`${host} accepts it`) };
    if (response.status >= 500 || response.status === 429)
      return { subject, state: 'unchecked', text: `${host} answered ${response.status}` };
    return { subject, ...bad(`${host} refuses it (${response.status}): create or copy it again`) };
  } catch {
    return { subject, state: 'unchecked', text: `${host} cannot be reached from here` };
  }
}

function good(text: string) {
  return { state: 'good', text } as const;
}

function bad(text: string) {
  return { state: 'bad', text } as const;
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
