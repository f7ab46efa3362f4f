import type { Check } from './checks.ts';

const LEADING_PASSWORD = /^(\w+:\/\/[^\s:/?#@]*):.*@/;

/** Tells whether a text is a connection string that every reader understands alike. */
export function isDatabaseUrl(text: string): boolean {
  // An address would end at the first of / ? # in its password, and the rest of it be shown as a path.
  return /^postgres(ql)?:\/\/[^\s:/?#@]+(:[^\s/?#@]*)?@[^\s/?#@]+\/\w+/.test(text) && URL.canParse(text);
}

/**
 * Reads a connection string as the dashboard shows it into one without a password, which programs take from elsewhere:
 * arguments can be seen by others.
 */
export function readDatabaseUrl(connectionString: string): string {
  // Before it is read as an address: whoever cannot read one repeats it.
  const url = new URL(connectionString.replace(LEADING_PASSWORD, '$1@'));
  // Else a connection that cannot be encrypted would be made all the same.
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'require');
  return url.href;
}

/** Reads which project of Supabase a connection string leads to; `undefined` when it does not say. */
export function readDatabaseRef(connectionString: string): string | undefined {
  const { username, hostname } = new URL(readDatabaseUrl(connectionString));
  return (/^[^.]+\.([a-z\d]{20})$/.exec(username) ??
    /^db\.([a-z\d]{20})\.supabase\.\w+$/.exec(hostname))?.[1];
}

/** Tells of a connection string that does not work from everywhere; `undefined` when nothing speaks against it. */
export function checkDatabaseUrl(connectionString: string): Check | undefined {
  const { hostname, port } = new URL(readDatabaseUrl(connectionString));
  const isDirect = /^db\..+\.supabase\.\w+$/.test(hostname);
  if (port !== '6543' && !isDirect) return undefined;
  const fault =
    port === '6543'
      ? 'it is that of the transaction pooler, which migrations may not pass'
      : 'it is the direct one, which networks without IPv6, such as that of GitHub, do not reach';
  return {
    subject: 'SUPABASE_DB_URL',
    state: 'bad',
    text: `${fault}: copy that of the session pooler (Supabase, Connect)`,
  };
}
