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
