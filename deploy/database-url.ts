import { removePassword } from '../functions/variables.ts';

/**
 * Prepares the connection string of the dashboard for programs. They get the password another way, because other users of
 * a machine can see arguments.
 */
export function readDatabaseUrl(connectionString: string): string {
  const url = new URL(removePassword(connectionString));
  // Without it, the client falls back to an unencrypted connection.
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'require');
  return url.href;
}

/** Reads the Supabase project from a connection string; `undefined` when it names none. */
export function readDatabaseRef(connectionString: string): string | undefined {
  return /^[^.]+\.([a-z\d]{20})$/.exec(new URL(removePassword(connectionString)).username)?.[1];
}
