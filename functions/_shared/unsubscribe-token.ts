import { Buffer } from 'node:buffer';
import { hash, isSame } from './secrets.ts';

/**
 * Makes the unsubscribe token of a member: 43 characters with the member's id, which is random, and a signature. With the
 * same secret, every message to the member has the same token. A member who leaves and comes back has a new id, and so a new token.
 */
export function makeUnsubscribeToken(memberId: string, secret: string): string {
  const id = Buffer.from(memberId.replaceAll('-', ''), 'hex');
  const signature = Buffer.from(hash('unsubscribe', memberId, secret), 'base64url').subarray(0, 16);
  return Buffer.concat([id, signature]).toString('base64url');
}

/** Reads the member's id from a token that one of the secrets signed; `undefined` for any other text. Never throws. */
export function readUnsubscribeToken(token: string, secrets: string[]): string | undefined {
  const hex = Buffer.from(token, 'base64url').toString('hex');
  const memberId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
  return secrets.some((secret) => isSame(token, makeUnsubscribeToken(memberId, secret)))
    ? memberId
    : undefined;
}
