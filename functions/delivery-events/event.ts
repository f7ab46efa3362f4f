import { parseEmailAddress } from '../email-address.ts';

/** What Resend tells of a message. */
export interface DeliveryEvent {
  kind: 'delivered' | 'bounced' | 'complained';
  /** Resend's identity of the message. */
  message: string;
  /** When it happened, in ISO 8601; `null` when it is not told. */
  at: string | null;
  /** Why it came back, in Resend's words for it. */
  problem: string | null;
  /** The address that is never to be mailed again. */
  neverMail: string | null;
}

const kinds: Record<string, DeliveryEvent['kind']> = {
  'email.delivered': 'delivered',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
};

/** Reads the body of a webhook call; `undefined` when it tells nothing that is kept. Never throws. */
export function readEvent(body: string): DeliveryEvent | undefined {
  const { type, created_at, data } = parseObject(body);
  const { email_id, to, bounce } = asObject(data);
  const kind = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined || typeof email_id !== 'string' || !/^[\w-]{1,100}$/.test(email_id))
    return undefined;
  const { type: bounceType, subType } = asObject(bounce);
  const reasons = [bounceType, subType].filter(isWord);
  // A mailbox that is full today is no reason for ever. Without a type it is what the event is called.
  const isFinal =
    kind === 'complained' || (kind === 'bounced' && (bounceType ?? 'Permanent') === 'Permanent');
  return {
    kind,
    message: email_id,
    at: readTime(created_at),
    problem: reasons.join(', ') || null,
    neverMail: isFinal ? readRecipient(to) : null,
  };
}

function parseObject(json: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(json));
  } catch {
    return {};
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The text of a bounce may quote the address; its types are single words. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,60}$/.test(value);
}

function readTime(value: unknown): string | null {
  const time = new Date(typeof value === 'string' ? value : NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Of several recipients nobody can tell whose mailbox it was. */
function readRecipient(to: unknown): string | null {
  const recipients: unknown[] = Array.isArray(to) ? to : [to];
  return recipients.length === 1 ? (parseEmailAddress(recipients[0]) ?? null) : null;
}
