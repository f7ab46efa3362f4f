/**
 * Hashes a value with the secret: without it, nobody can tell what was hashed. `purpose` makes the hashes of different
 * uses differ.
 */
export async function hash(purpose: string, value: string, secret: string): Promise<string> {
  return toBase64Url(await sign(`${purpose}:${value}`, secret));
}

/**
 * Makes the unsubscribe token of a member: 43 characters with the member's id, which is random, and a signature. Every
 * message to the member has the same token. A member who leaves and comes back has a new id, and so a new token.
 */
export async function makeUnsubscribeToken(memberId: string, secret: string): Promise<string> {
  const id = memberId.match(/[\da-f]{2}/g)!.map((byte) => parseInt(byte, 16));
  const signature = await sign(`unsubscribe:${memberId}`, secret);
  return toBase64Url([...id, ...signature.slice(0, 16)]);
}

/** Reads the member's id from a token that one of the secrets signed; `undefined` for any other text. Never throws. */
export async function readUnsubscribeToken(token: string, secrets: string[]): Promise<string | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  const bytes = atob(token.replaceAll('-', '+').replaceAll('_', '/')).slice(0, 16);
  const hex = [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  const memberId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  for (const secret of secrets) {
    if (isSame(token, await makeUnsubscribeToken(memberId, secret))) return memberId;
  }
  return undefined;
}

/** Compares in constant time two texts of the same length. */
function isSame(one: string, other: string): boolean {
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

async function sign(text: string, secret: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text)));
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toBase64Url(bytes: Iterable<number>): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
