import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { createEmulator } from 'emulate';
import { type Message, writeList, writeMessage } from './inbox-page.ts';
import type { Settings } from './settings.ts';
import { makeEvents, type ProviderEvent, sendEvent } from './webhook.ts';

const { ports, dataDir, apiUrl, values } = JSON.parse(process.env['SETTINGS']!) as Settings;
const file = join(dataDir, 'inbox.jsonl');

interface Sent {
  key: string | null;
  body: string;
}

// The stand-in keeps messages in memory, so each one is also saved, and sent again at the next start.
const standIn = await createEmulator({ service: 'resend', port: 0 });
const inStandIn = (path: string) => new URL(path, standIn.url);

/** Passes a message to the stand-in. Resolves to the answer and the events that follow. */
async function take({ key, body }: Sent): Promise<[Response, ProviderEvent[]]> {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: 'Bearer re_local',
    ...(key && { 'Idempotency-Key': key }),
  };
  const response = await fetch(inStandIn('/emails'), { method: 'POST', headers, body });
  if (!response.ok) return [response, []];
  const { id } = (await response.clone().json()) as { id: string };
  return [response, makeEvents(id, JSON.parse(body) as { to: string[] })];
}

if (existsSync(file)) {
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean))
    await take(JSON.parse(line) as Sent);
}

serve({
  hostname: '127.0.0.1',
  port: ports.inbox,
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/') return Response.redirect(new URL('/inbox', request.url), 302);
    if (request.method === 'GET' && /^\/inbox(\/|$)/.test(pathname)) return showPage(pathname.split('/')[2]);
    if (request.method !== 'POST' || pathname !== '/emails') {
      return fetch(new Request(inStandIn(pathname + search), request));
    }
    const sent = { key: request.headers.get('idempotency-key'), body: await request.text() };
    const [response, events] = await take(sent);
    if (response.ok) appendFileSync(file, `${JSON.stringify(sent)}\n`);
    void sendAll(events);
    return response;
  },
});

/** Shows all messages, or one of them with its outcome and the headers that contain the unsubscribe link. */
async function showPage(id: string | undefined): Promise<Response> {
  const answer = await fetch(inStandIn(id ? `/emails/${id}` : '/emails'));
  if (!answer.ok) return answer;
  const body = (await answer.json()) as Message & { data: Message[] };
  const page = id ? writeMessage(body) : writeList(body.data);
  return new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

/** Sends the events of one message to the function in order, like Resend's webhooks. */
async function sendAll(events: ProviderEvent[]): Promise<void> {
  const webhook = { url: `${apiUrl}/functions/v1/delivery-events`, secret: values.RESEND_WEBHOOK_SECRET };
  for (const event of events) await sendEvent(event, webhook);
}
