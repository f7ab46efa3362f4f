import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { serve } from '@hono/node-server';
import { type Message, writeList, writeMessage } from './inbox-page.ts';
import type { Settings } from './settings.ts';
import { makeEvents, sendEvent } from './webhook.ts';

const { ports, dataDir, apiUrl, values } = JSON.parse(process.env['SETTINGS']!) as Settings;
const webhook = { url: `${apiUrl}/functions/v1/delivery-events`, secret: values.RESEND_WEBHOOK_SECRET };

/** The file keeps the messages for the next start, one a line. */
const file = join(dataDir, 'messages.jsonl');
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
const messages = new Map(
  lines.map((line) => JSON.parse(line) as Message).map((message) => [message.id, message]),
);

serve({
  hostname: '127.0.0.1',
  port: ports.INBOX_PORT,
  async fetch(request) {
    const [, room, id] = new URL(request.url).pathname.split('/');
    if (request.method === 'POST' && room === 'emails') return take(request);
    if (room === 'emails') return Response.json({ data: [...messages.values()] });
    const message = id && messages.get(id);
    const page = message ? writeMessage(message) : writeList([...messages.values()]);
    return new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  },
});

/**
 * Takes a message. As at Resend, an idempotency key identifies one message, and no other message may have it:
 * https://resend.com/docs/dashboard/emails/idempotency-keys. The events follow the answer.
 */
async function take(request: Request): Promise<Response> {
  const id = `local_${request.headers.get('idempotency-key') ?? crypto.randomUUID()}`;
  const message = { ...((await request.json()) as Message), id };
  const known = messages.get(id);
  if (known && !isDeepStrictEqual(known, message))
    return Response.json({ name: 'invalid_idempotent_request' }, { status: 409 });
  if (known) return Response.json({ id });
  appendFileSync(file, `${JSON.stringify(message)}\n`);
  messages.set(id, message);
  void report(message);
  return Response.json({ id });
}

async function report({ id, to }: Message): Promise<void> {
  for (const event of makeEvents(id, { to })) await sendEvent(event, webhook);
}
