import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { edgeFunction } from '../../ops/stack/parts.ts';
import { type FunctionName, functionNames } from '../../shared/variables.ts';
import { waitUntil } from '../../ops/stack/process.ts';
import { findFreePort, readSettings } from '../../ops/stack/settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-function-'));
// Listens from here on, so that nothing else gets its port meanwhile.
const dataApi = createServer().listen(0, '127.0.0.1');
await once(dataApi, 'listening');
const { port: API_PORT } = dataApi.address() as AddressInfo;
const settings = readSettings({ DATA_DIR: dataDir, API_PORT: String(API_PORT) });

afterAll(() => void dataApi.close());
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

let log = '';

/** Runs a function under Deno. Resolves to its URL once it answers. */
async function start(name: FunctionName, environment: object = {}, preload: string[] = []): Promise<string> {
  const port = await findFreePort();
  const { command, args, env } = edgeFunction(settings, name, port);
  const [run = '', ...rest] = args;
  const running = spawn(command!, [run, ...preload.map((file) => `--preload=${file}`), ...rest], {
    env: { ...process.env, ...env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    running.kill();
    await once(running, 'exit');
  });
  log = '';
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (chunk) => (log += chunk));
  const url = `http://127.0.0.1:${port}/functions/v1/${name}`;
  const answers = () => fetch(url, { method: 'PUT' }).then(Boolean, () => false);
  expect(await waitUntil(answers, 60_000), log).toBe(true);
  return url;
}

it.each(functionNames)('%s answers 503 without its configuration, and logs what to set', async (name) => {
  const broken = { TOKEN_SECRET: ' ', SUPABASE_SECRET_KEYS: 'no-dictionary' };
  const url = await start(name, broken);
  for (const method of ['POST', 'OPTIONS', 'GET']) {
    const response = await fetch(url, { method });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      error: { code: 'misconfigured', message: expect.stringMatching(/^[A-Z].*\.$/) },
    });
  }
  // The answer can arrive before what was logged earlier.
  for (const fault of [
    'TOKEN_SECRET is missing: set it to random text of at least 32 characters',
    'SUPABASE_SECRET_KEYS is missing',
  ])
    expect(await waitUntil(() => log.includes(fault), 30_000), log).toBe(true);
  for (const value of ['no-dictionary', settings.secretKey]) expect(log).not.toContain(value);
});

it('a delivery continues after the answer, even at Supabase', async () => {
  const empty = Promise.withResolvers<void>();
  dataApi.on('request', async (request, response) => {
    const isLease = request.url?.endsWith('/lease_delivery');
    if (isLease) await empty.promise;
    response.end(JSON.stringify(isLease ? null : 'accepted'));
  });
  const url = await start('resend-email', {}, [join(import.meta.dirname, 'edge-runtime.ts')]);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: settings.publicKey },
    body: JSON.stringify({ to: 'name@example.org' }),
  });
  expect(response.status).toBe(200);
  expect(log).not.toContain('background work done');
  empty.resolve();
  expect(await waitUntil(() => log.includes('background work done'), 30_000), log).toBe(true);
});
