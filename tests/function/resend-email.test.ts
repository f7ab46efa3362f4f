import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emailFunction } from '../../local/parts.ts';
import { waitUntil } from '../../local/process.ts';
import { findFreePort, prepareDataDir, readSettings } from '../../local/settings.ts';

/** The function as it is deployed, under real Deno, with an inbox in the place of Resend. */
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-function-'));
const settings = readSettings({ DATA_DIR: dataDir });
const inserts: unknown[] = [];
let inbox: Emulator;
let dataApi: Server;
let deno: ChildProcess;
let url: string;

async function startFunction(environment: Record<string, string> = {}, apiUrl = settings.apiUrl) {
  const port = await findFreePort();
  const part = emailFunction({ ...settings, apiUrl, resendBaseUrl: inbox.url }, port, { watch: false });
  const child = spawn(part.command, part.args, {
    env: { ...part.options?.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { child, part, url: `http://127.0.0.1:${port}` };
}

beforeAll(async () => {
  prepareDataDir(dataDir);
  inbox = await createEmulator({ service: 'resend', port: 0 });
  dataApi = createServer(async (request, response) => {
    inserts.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    response.writeHead(201).end();
  }).listen(0, '127.0.0.1');
  await once(dataApi, 'listening');
  const { port } = dataApi.address() as { port: number };
  const started = await startFunction({}, `http://127.0.0.1:${port}`);
  ({ child: deno, url } = started);
  expect(await waitUntil(started.part.isReady, 30_000)).toBe(true);
});

beforeEach(() => {
  inbox.reset();
  inserts.length = 0;
});

afterAll(async () => {
  deno?.kill();
  dataApi?.close();
  await inbox?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function post(body: unknown, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json', apikey: settings.publicKey, ...headers },
    body: JSON.stringify(body),
  });
}

async function readInbox(): Promise<Record<string, unknown>[]> {
  const response = await fetch(new URL('/emails', inbox.url));
  return ((await response.json()) as { data: Record<string, unknown>[] }).data;
}

describe('the e-mail function under Deno', () => {
  it('sends its own welcome, whatever the call says', async () => {
    const response = await post({
      from: 'x@evil.example',
      to: ' Name@Example.org',
      subject: 'Buy this',
      html: '<h1>evil</h1>',
    });
    expect(response.status).toBe(200);
    const [message, ...others] = await readInbox();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      from: settings.sender,
      to: ['name@example.org'],
      subject: 'Welcome to the Waitlist',
    });
    expect(message?.['html']).toContain('Let the Hustle begin');
    expect(message?.['html']).toContain('name@example.org');
    expect(message?.['html']).toContain(`mailto:${settings.unsubscribeAddress}`);
    expect(message?.['html']).not.toMatch(/evil|\{\{/);
    expect(message?.['text']).toContain('name@example.org');
    expect(message?.['text']).not.toMatch(/\{\{/);
  });

  it('refuses what is no sign-up, and sends nothing', async () => {
    expect((await post({ to: 'a@localhost' })).status).toBe(422);
    expect((await post({ to: 'a@example.org' }, { apikey: 'x' })).status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect(await readInbox()).toEqual([]);
  });

  it('signs up a form that was sent without JavaScript', async () => {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: settings.siteUrl },
      body: new URLSearchParams({ email_address: 'name@example.org', apikey: settings.publicKey }),
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${settings.siteUrl}/#joined`);
    expect(await readInbox()).toHaveLength(1);
    expect(inserts).toEqual([
      [{ email: 'name@example.org', created_at: expect.any(String), source: 'landing_page' }],
    ]);
  });

  it('does not start without its configuration, and names what is missing', async () => {
    const { child } = await startFunction({ EMAIL_SENDER: '', SITE_URL: 'x' });
    let errors = '';
    child.stderr!.on('data', (chunk) => (errors += chunk));
    const [code] = await once(child, 'exit');
    expect(code).not.toBe(0);
    expect(errors).toContain('EMAIL_SENDER is missing');
    expect(errors).toContain('SITE_URL is malformed');
  });

  it('is deployed from where it lies, and checks the key itself', () => {
    const config = readFileSync(resolve(settings.root, 'supabase/config.toml'), 'utf8');
    const section = /\[functions\.resend-email\]\n([^[]*)/.exec(config)?.[1];
    expect(section).toContain('verify_jwt = false');
    expect(section).toContain('entrypoint = "../functions/resend-email/index.ts"');
  });
});
