import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { createEmulator } from 'emulate';
import { showHeaders } from './message-headers.ts';
import { makeEvents, sendEvent } from './webhook.ts';

const { INBOX_PORT, INBOX_FILE, WEBHOOK_URL, WEBHOOK_SECRET } = process.env as Record<
  'INBOX_PORT' | 'INBOX_FILE' | 'WEBHOOK_URL' | 'WEBHOOK_SECRET',
  string
>;

interface Sent {
  key: string | null;
  body: string;
}

// The stand-in keeps its messages in memory: what it took is written down, and taken again at the next start.
const standIn = await createEmulator({ service: 'resend', port: 0 });
const address = (path: string) => new URL(path, standIn.url);

async function take({ key, body }: Sent): Promise<Response> {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: 'Bearer re_local',
    ...(key && { 'Idempotency-Key': key }),
  };
  return fetch(address('/emails'), { method: 'POST', headers, body });
}

if (existsSync(INBOX_FILE)) {
  for (const line of readFileSync(INBOX_FILE, 'utf8').split('\n').filter(Boolean))
    await take(JSON.parse(line) as Sent);
}

serve({
  hostname: '127.0.0.1',
  port: Number(INBOX_PORT),
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/') return Response.redirect(new URL('/inbox', request.url), 302);
    const id = /^\/inbox\/([^/]+)$/.exec(pathname)?.[1];
    if (request.method === 'GET' && id) return showMessage(id);
    if (request.method !== 'POST' || pathname !== '/emails') {
      return fetch(new Request(address(pathname + search), request));
    }
    const sent = { key: request.headers.get('idempotency-key'), body: await request.text() };
    const response = await take(sent);
    if (response.ok) {
      appendFileSync(INBOX_FILE, `${JSON.stringify(sent)}\n`);
      void tell(await response.clone().json(), sent.body);
    }
    return response;
  },
});

/** The stand-in's page of a message, with the headers that it leaves out: without them nobody could follow the link to leave. */
async function showMessage(id: string): Promise<Response> {
  const page = await fetch(address(`/inbox/${id}`));
  if (!page.ok) return page;
  const { headers } = (await (await fetch(address(`/emails/${id}`))).json()) as {
    headers: Record<string, string>;
  };
  return new Response(showHeaders(await page.text(), headers), {
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}

/** Tells the functions what became of a message, as Resend does with its webhooks. */
async function tell({ id }: { id: string }, body: string): Promise<void> {
  for (const event of makeEvents(id, JSON.parse(body) as { to: string[] })) {
    await sendEvent(event, { url: WEBHOOK_URL, secret: WEBHOOK_SECRET });
  }
}
