/**
 * Hashes a value with the secret: without it, nobody can tell what was hashed. `purpose` makes the hashes of different
 * uses differ.
 */
export async function hash(purpose: string, value: string, secret: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, encode(`${purpose}:${value}`));
  return toBase64Url(new Uint8Array(signature));
}

/**
 * Makes the unsubscribe token of a member: 43 characters that reveal nothing about the member. Every message to the
 * member has the same token. A member who leaves and comes back has a new id, and so a new token.
 */
export function makeUnsubscribeToken(memberId: string, secret: string): Promise<string> {
  return hash('unsubscribe', memberId, secret);
}

/** Hashes a token as the database stores it; `undefined` when the text cannot be a token. */
export async function hashToken(token: string): Promise<string | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', encode(token))));
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
