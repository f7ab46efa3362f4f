import { appendFileSync, chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { type Message, readMessage, writeList, writeMessage } from './inbox-page.ts';
import type { Settings } from './settings.ts';
import { makeEvents, sendEvent } from './webhook.ts';

const { ports, dataDir, apiUrl, values } = JSON.parse(process.env['SETTINGS']!) as Settings;
const webhook = { url: `${apiUrl}/functions/v1/delivery-events`, secret: values.RESEND_WEBHOOK_SECRET };

/** The file keeps the messages for the next start, one a line. After a restore it may contain addresses of real members. */
const file = join(dataDir, 'messages.jsonl');
appendFileSync(file, '');
chmodSync(file, 0o600);
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
const messages = new Map(
  lines
    .flatMap((line) => readMessage(JSON.parse(line) as object) ?? [])
    .map((message) => [message.id, message]),
);

const ownHosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${ports.INBOX_PORT}`);

serve({
  hostname: '127.0.0.1',
  port: ports.INBOX_PORT,
  async fetch(request) {
    if (!isOwn(request)) return new Response('This inbox answers only its own pages.', { status: 403 });
    const [, room, id] = new URL(request.url).pathname.split('/');
    if (request.method === 'POST' && room === 'emails') return take(request);
    if (room === 'emails') return Response.json({ data: [...messages.values()] });
    const message = id && messages.get(id);
    const page = message ? writeMessage(message) : writeList([...messages.values()]);
    return new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
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

/**
 * Takes a message. As at Resend, one that is repeated under its idempotency key is taken once, and another one is refused:
 * https://resend.com/docs/dashboard/emails/idempotency-keys. The events follow the answer.
 */
async function take(request: Request): Promise<Response> {
  const id = `local_${request.headers.get('idempotency-key') ?? crypto.randomUUID()}`;
  const body: unknown = await request.json().catch(() => undefined);
  const message = readMessage({ ...(body as object), id });
  if (!message) return Response.json({ name: 'validation_error' }, { status: 422 });
  const earlier = messages.get(id);
  if (earlier && JSON.stringify(earlier) !== JSON.stringify(message))
    return Response.json({ name: 'invalid_idempotent_request' }, { status: 409 });
  if (earlier) return Response.json({ id });
  appendFileSync(file, `${JSON.stringify(message)}\n`);
  messages.set(id, message);
  void report(message);
  return Response.json({ id });
}

async function report({ id, to }: Message): Promise<void> {
  for (const event of makeEvents(id, { to })) await sendEvent(event, webhook);
}
