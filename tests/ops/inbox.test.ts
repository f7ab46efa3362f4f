import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inbox } from '../../ops/stack/parts.ts';
import { RunningParts } from '../../ops/stack/running-parts.ts';
import { findFreePort, readSettings } from '../../ops/stack/settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-inbox-'));
const settings = readSettings({ DATA_DIR: dataDir, INBOX_PORT: String(await findFreePort()) });
const parts = new RunningParts(dataDir);

beforeAll(() => parts.start(inbox(settings)));
afterAll(async () => {
  await parts.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Calls the inbox with headers that `fetch` would not send. Resolves to the status and the body. */
async function call(method: string, path: string, headers: Record<string, string> = {}, body = '') {
  const sent = request(settings.inboxUrl + path, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() };
}

const message = JSON.stringify({ to: ['jo@example.org'], subject: 'Hello', html: '', headers: {} });

it('takes no message from a page of another site, and takes those of the function and of its own pages', async () => {
  for (const Origin of ['https://evil.example', 'null', settings.siteUrl])
    expect((await call('POST', '/emails', { Origin }, message)).status).toBe(403);
  expect((await call('GET', '/')).text).not.toContain('Hello');
  expect((await call('POST', '/emails', { Origin: settings.inboxUrl }, message)).status).toBe(200);
  expect((await call('POST', '/emails', {}, message)).status).toBe(200);
});

it('does not show the messages to a page whose host name points to this machine', async () => {
  const evil = await call('GET', '/', { Host: `evil.example:${settings.ports.INBOX_PORT}` });
  expect(evil.status).toBe(403);
  expect(evil.text).not.toContain('jo@example.org');
  const own = await call('GET', '/', { Host: `localhost:${settings.ports.INBOX_PORT}` });
  expect(own.text).toContain('jo@example.org');
});
