import { parseEmailAddress } from '../../shared/email-address.ts';
import { parseObject } from '../_shared/read-body.ts';

/** https://resend.com/docs/webhooks/event-types; we do not need other events. */
const kinds = ['delivered', 'bounced', 'complained', 'failed', 'suppressed'] as const;

export interface DeliveryEvent {
  kind: (typeof kinds)[number];
  /** Resend's id of the message. */
  message: string;
  /** Why the message did not arrive, in Resend's terms. */
  problem: string | null;
  /** Whether the address, or after a complaint the mailbox, must never be mailed again. */
  isFinal: boolean;
  /** The email address it went to; `null` unless Resend names exactly one. */
  recipient: string | null;
}

/** Reads the body of a webhook call; `undefined` when it contains no event that we need. Never throws. */
export function readEvent(body: string): DeliveryEvent | undefined {
  const { type, data } = parseObject(body) ?? {};
  const { email_id, to, bounce, failed, suppressed } = asObject(data);
  const kind = kinds.find((one) => type === `email.${one}`);
  if (kind === undefined || typeof email_id !== 'string' || !/^[\w-]{1,100}$/.test(email_id))
    return undefined;
  const { type: bounceType, subType } = asObject(bounce);
  const reasons = [bounceType, subType, asObject(failed)['reason'], asObject(suppressed)['type']];
  return {
    kind,
    message: email_id,
    problem: reasons.filter(isWord).join(', ') || null,
    isFinal: isFinal(kind, bounceType),
    recipient: readRecipient(to),
  };
}

/**
 * Returns whether the recipient must never be mailed again. Resend suppresses addresses that bounced or complained
 * before, perhaps for another sender of the account. A failed message is the sender's problem, such as a quota.
 */
function isFinal(kind: DeliveryEvent['kind'], bounceType: unknown): boolean {
  // A mailbox that is full today may have room tomorrow. A bounce without a type is permanent: that is how Resend
  // defines the event.
  if (kind === 'bounced') return (bounceType ?? 'Permanent') === 'Permanent';
  return kind === 'complained' || kind === 'suppressed';
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Resend's types and reasons are single words. Its messages may quote the address. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,60}$/.test(value);
}

function readRecipient(to: unknown): string | null {
  const recipients: unknown[] = Array.isArray(to) ? to : [to];
  return recipients.length === 1 ? (parseEmailAddress(recipients[0]) ?? null) : null;
}
