import { Webhook } from 'standardwebhooks';

/** An event as Resend tells it, with the identity under which it is sent. */
export interface ProviderEvent {
  id: string;
  type: `email.${string}`;
  created_at: string;
  data: { email_id: string; to: string[]; bounce?: { type: string; subType: string } };
}

/**
 * What Resend would tell of a message: it arrives, unless its recipient is one of Resend's test addresses for the
 * opposite (`bounced@resend.dev`, `complained@resend.dev`, with or without a label).
 */
export function makeEvents(emailId: string, { to }: { to: string[] }): ProviderEvent[] {
  const fate = /^(bounced|complained)(?:\+[^@]*)?@resend\.dev$/.exec(to[0] ?? '')?.[1];
  const make = (name: string, more: object = {}): ProviderEvent => ({
    // The same for the same message: one that comes a second time under its key is told of once.
    id: `msg_${name}_${emailId}`,
    type: `email.${name}`,
    created_at: new Date().toISOString(),
    data: { email_id: emailId, to, ...more },
  });
  if (fate === 'bounced') return [make('bounced', { bounce: { type: 'Permanent', subType: 'General' } })];
  return fate === 'complained' ? [make('delivered'), make('complained')] : [make('delivered')];
}

/** Signs an event and sends it. Resolves to the answer, or to `undefined` when nobody listens. */
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
