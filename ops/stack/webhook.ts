import { Webhook } from 'standardwebhooks';

/** An event as Resend sends it, with its webhook id. */
export interface ProviderEvent {
  id: string;
  type: `email.${string}`;
  created_at: string;
  data: { email_id: string; to: string[] } & Record<string, unknown>;
}

/** The outcome for each of Resend's test addresses: https://resend.com/docs/dashboard/emails/send-test-emails */
const endings: Record<string, [name: string, details?: object][]> = {
  bounced: [['bounced', { bounce: { type: 'Permanent', subType: 'General' } }]],
  complained: [['delivered'], ['complained']],
  suppressed: [['suppressed', { suppressed: { type: 'OnAccountSuppressionList' } }]],
};

/**
 * Returns the events that Resend would send for a message, in order. A message is delivered, unless the recipient is a
 * test address such as `bounced@resend.dev`, with or without a label.
 */
export function makeEvents(emailId: string, { to }: { to: string[] }): ProviderEvent[] {
  const ending = /^(\w+)(?:\+[^@]*)?@resend\.dev$/.exec(to[0] ?? '')?.[1] ?? '';
  return (endings[ending] ?? [['delivered']]).map(([name, details]) => ({
    // The id depends only on the message, so a message that is repeated under its key causes no second event.
    id: `msg_${name}_${emailId}`,
    type: `email.${name}`,
    created_at: new Date().toISOString(),
    data: { email_id: emailId, to, ...details },
  }));
}

export async function sendEvent(
  { id, ...event }: ProviderEvent,
  { url, secret }: { url: string; secret: string },
): Promise<Response | undefined> {
  const now = new Date();
  const body = JSON.stringify(event);
  const headers = {
    'Content-Type': 'application/json',
    'svix-id': id,
    'svix-timestamp': String(Math.floor(now.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign(id, now, body),
  };
  return fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
}
