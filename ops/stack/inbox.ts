import { serve } from '@hono/node-server';
import type { Message } from '../../functions/resend-email/send-message.ts';
import { writeInbox } from './inbox-page.ts';
import type { Settings } from './settings.ts';
import { sendEvent } from './webhook.ts';

const { ports, apiUrl, values } = JSON.parse(process.env['SETTINGS']!) as Settings;
const webhook = { url: `${apiUrl}/functions/v1/delivery-events`, secret: values.RESEND_WEBHOOK_SECRET };
const ownHosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${ports.INBOX_PORT}`);

/** The messages by id. They are in memory only: after a restore, they may contain addresses of real members. */
const messages = new Map<string, Message>();

serve({
  hostname: '127.0.0.1',
  port: ports.INBOX_PORT,
  async fetch(request) {
    if (!isOwn(request)) return new Response('This inbox answers only its own pages.', { status: 403 });
    if (request.method === 'POST') return take(request);
    const data = [...messages.values()];
    if (new URL(request.url).pathname === '/emails') return Response.json({ data });
    return new Response(writeInbox(data), { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  },
});

/**
 * Returns whether a request is not from a page of another site. Such a page can post without asking, and reads the answers if
 * its host name points to this machine.
 */
function isOwn({ headers }: Request): boolean {
  const origin = headers.get('origin');
  const isOwnOrigin = origin === null || ownHosts.some((host) => origin === `http://${host}`);
  return isOwnOrigin && ownHosts.includes(headers.get('host') ?? '');
}

/** Takes a message, and reports that it was delivered. As at Resend, one that is repeated under its key is taken once. */
async function take(request: Request): Promise<Response> {
  const id = `local_${request.headers.get('idempotency-key')}`;
  const message = (await request.json()) as Message;
  if (messages.has(id)) return Response.json({ id });
  messages.set(id, message);
  const data = { email_id: id, to: message.to };
  const event = { id: `msg_${id}`, type: 'email.delivered', created_at: new Date().toISOString(), data };
  void sendEvent(event, webhook).catch(() => {});
  return Response.json({ id });
}
