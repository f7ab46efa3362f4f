import { parseEmailAddress } from './email-address.ts';

/** Hashes a value with the secret: without it, nobody can tell what was hashed. `purpose` keeps hashes apart. */
export async function hash(purpose: string, value: string, secret: string): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await readKey(secret), encode(`${purpose}:${value}`));
  return toBase64Url(new Uint8Array(signature));
}

/** Makes the token by which the owner of an address leaves the waitlist, without a login. */
export async function signLeaveToken(address: string, secret: string): Promise<string> {
  return `${toBase64Url(encode(address))}.${await hash('leave', address, secret)}`;
}

/** Reads a token; `undefined` when it was not signed with the secret. Never throws. */
export async function readLeaveToken(token: string, secret: string): Promise<string | undefined> {
  const [name = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0) return undefined;
  try {
    const address = new TextDecoder().decode(fromBase64Url(name));
    const isSigned = await crypto.subtle.verify(
      'HMAC',
      await readKey(secret),
      fromBase64Url(signature),
      encode(`leave:${address}`),
    );
    return isSigned ? parseEmailAddress(address) : undefined;
  } catch {
    return undefined;
  }
}

function readKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
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

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
