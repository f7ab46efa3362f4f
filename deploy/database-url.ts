const LEADING_PASSWORD = /^(\w+:\/\/[^\s:/?#@]*):.*@/;

/**
 * Removes the password from a connection string of the dashboard. Programs get the password another way, because other
 * users of a machine can see arguments.
 */
export function readDatabaseUrl(connectionString: string): string {
  // Before parsing, because a parser's error repeats its input.
  const url = new URL(connectionString.replace(LEADING_PASSWORD, '$1@'));
  // Without it, the client falls back to an unencrypted connection.
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'require');
  return url.href;
}

/** Reads the Supabase project from a connection string; `undefined` when it names none. */
export function readDatabaseRef(connectionString: string): string | undefined {
  const { username, hostname } = new URL(readDatabaseUrl(connectionString));
  return (/^[^.]+\.([a-z\d]{20})$/.exec(username) ??
    /^db\.([a-z\d]{20})\.supabase\.\w+$/.exec(hostname))?.[1];
}

/** Says why a connection string does not work from everywhere; `undefined` when it does. */
export function findPoolerFault(connectionString: string): string | undefined {
  const { hostname, port } = new URL(readDatabaseUrl(connectionString));
  const advice = 'Copy the one of the session pooler (Supabase, Connect)';
  if (port === '6543')
    return `this is the transaction pooler, which migrations may not get through. ${advice}`;
  // https://supabase.com/docs/guides/database/connecting-to-postgres
  if (/^db\..+\.supabase\.\w+$/.test(hostname))
    return `this is the direct connection, which needs IPv6. GitHub has none. ${advice}`;
  return undefined;
}
