import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { isSame } from '../_shared/secrets.ts';

const TOLERANCE = 5 * 60; // seconds that the two clocks may differ

/**
 * Returns whether a webhook call was signed with the secret (`whsec_` and a key in base 64) within five minutes of now.
 * https://docs.svix.com/receiving/verifying-payloads/how-manual describes the scheme. Never throws.
 */
export function isSigned(headers: Headers, body: string, secret: string, now: number = Date.now()): boolean {
  const timestamp = headers.get('svix-timestamp') ?? '';
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const content = `${headers.get('svix-id')}.${timestamp}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  // A call has several signatures while the secret is being changed, and versions after v1 may follow.
  const given = headers.get('svix-signature') ?? '';
  return given.split(' ').some((one) => isSame(one, signature));
}
