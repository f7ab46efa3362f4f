import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inbox } from '../../ops/stack/parts.ts';
import { waitUntil } from '../../ops/stack/process.ts';
import { findFreePort, prepareDataDir, readSettings } from '../../ops/stack/settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-inbox-'));
const file = join(dataDir, 'messages.jsonl');
const settings = readSettings({ DATA_DIR: dataDir, INBOX_PORT: String(await findFreePort()) });
const { args, env, isReady } = inbox(settings);
let child: ReturnType<typeof spawn>;

async function restart(): Promise<void> {
  child?.kill();
  if (child) await once(child, 'close');
  child = spawn(process.execPath, args, { cwd: settings.root, env: { ...process.env, ...env } });
  expect(await waitUntil(isReady, 30_000)).toBe(true);
}

beforeAll(async () => {
  prepareDataDir(dataDir);
  writeFileSync(file, '', { mode: 0o644 });
  await restart();
});
afterAll(() => {
  child.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Calls the inbox with headers that `fetch` would not send. Resolves to the status and the body. */
async function call(method: string, path: string, headers: Record<string, string> = {}, body = '') {
  const sent = request(settings.inboxUrl + path, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
}

const message = JSON.stringify({ to: ['jo@example.org'], subject: 'Hello' });

it('takes no message from a page of another site, and takes those of the function and of its own pages', async () => {
  for (const Origin of ['https://evil.example', 'null', settings.siteUrl])
    expect((await call('POST', '/emails', { Origin }, message)).status).toBe(403);
  expect((await call('GET', '/')).text).not.toContain('Hello');
  expect((await call('POST', '/emails', { Origin: settings.inboxUrl }, message)).status).toBe(200);
  expect((await call('POST', '/emails', {}, message)).status).toBe(200);
});

it('shows nothing to a page whose host name points to this machine', async () => {
  const evil = await call('GET', '/', { Host: `evil.example:${settings.ports.INBOX_PORT}` });
  expect(evil.status).toBe(403);
  expect(evil.text).not.toContain('jo@example.org');
  expect((await call('GET', '/', { Host: `localhost:${settings.ports.INBOX_PORT}` })).status).toBe(200);
});

it('takes one recipient as text, like Resend, and refuses what it could not show', async () => {
  expect((await call('POST', '/emails', {}, '{"to":"solo@example.org","subject":"Hi"}')).status).toBe(200);
  for (const body of ['{"to":"x"}', '{"to":7,"subject":"Hi"}', '[', 'null'])
    expect((await call('POST', '/emails', {}, body)).status).toBe(422);
  const page = await call('GET', '/');
  expect(page.status).toBe(200);
  expect(page.text).toContain('solo@example.org');
});

it('lets nobody else on this machine read the messages, and still starts with a line that it cannot show', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  appendFileSync(file, '{"id":"odd","to":"x"}\n');
  await restart();
  const page = await call('GET', '/');
  expect(page.status).toBe(200);
  expect(page.text).toContain('jo@example.org');
});
