import { Webhook } from 'standardwebhooks';

/** Signs an event and sends it to the function, as Resend does. */
export async function sendEvent(
  { id, ...event }: { id: string; type: string; created_at: string; data: object },
  { url, secret }: { url: string; secret: string },
): Promise<Response> {
  const now = new Date();
  const body = JSON.stringify(event);
  const headers = {
    'Content-Type': 'application/json',
    'svix-id': id,
    'svix-timestamp': String(Math.floor(now.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign(id, now, body),
  };
  return fetch(url, { method: 'POST', headers, body });
}
