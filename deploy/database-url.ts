/**
 * Reads a connection string as the dashboard shows it into one without a password, which programs take from elsewhere:
 * arguments can be seen by others.
 */
export function readDatabaseUrl(connectionString: string): string {
  const url = new URL(connectionString);
  url.password = '';
  // Else a connection that cannot be encrypted would be made all the same.
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'require');
  return url.href;
}
