/** What a flag accepts. */
export const flag = /^(true|false)$/;

/** Splits a list that is separated by commas. */
export function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** Removes the password from a connection string, whatever characters it has, without parsing it first. */
export function removePassword(connectionString: string): string {
  return connectionString.replace(/^(\w+:\/\/[^\s:/?#@]*):.*@/, '$1@');
}

/** Returns whether a text is an http or https URL on this machine. */
export function isLoopback(text: string): boolean {
  const origin = URL.parse(text)?.origin ?? '';
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
}

/**
 * Returns whether a text may be a URL of the session pooler. The direct connection needs IPv6, which GitHub does not have, and the
 * transaction pooler, at port 6543, does not suit migrations: https://supabase.com/docs/guides/database/connecting-to-postgres
 */
export function isSessionPooler(value: string): boolean {
  const url = removePassword(value);
  const isDatabase = /^postgres(ql)?:\/\/[^\s:/?#@]+@[^\s/?#@]+\/\w+/.test(url) && URL.canParse(url);
  return isDatabase && !/@db\.\w+\.supabase\.|:6543\//.test(url);
}

/** Returns whether a text is a plain https URL. http is allowed only on this machine. */
export function isUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username } = new URL(value);
  const isPublic = protocol === 'https:' && hostname.includes('.');
  return (isPublic || isLoopback(value)) && search + hash + username === '';
}

/** Returns whether a text is the URL of a site or a project, without a path. */
export function isOrigin(value: string): boolean {
  return isUrl(value) && new URL(value).pathname === '/';
}
