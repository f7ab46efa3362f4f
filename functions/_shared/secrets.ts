/**
 * Hashes a value with the secret: without it, nobody can tell what was hashed. `purpose` makes the hashes of different
 * uses differ.
 */
export async function hash(purpose: string, value: string, secret: string): Promise<string> {
  return toBase64Url(await sign(`${purpose}:${value}`, secret));
}

/** Signs a text with HMAC and SHA-256. */
export async function sign(text: string, secret: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text)));
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export function toBase64Url(bytes: Iterable<number>): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
