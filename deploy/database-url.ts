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
