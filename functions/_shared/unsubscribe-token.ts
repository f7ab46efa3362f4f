import { sign, toBase64Url } from './secrets.ts';

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
