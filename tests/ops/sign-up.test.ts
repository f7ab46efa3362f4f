import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitUntil } from '../../ops/stack/process.ts';
import { readRunFile } from '../../ops/stack/run-file.ts';
import { Stack } from './stack.ts';

/** What a new developer tries first. The workflow `macos` runs it on macOS, too. */
const stack = new Stack();
stack.command = ['npm', 'start'];

beforeAll(async () => {
  await stack.choosePorts();
  // A proxy that does not answer, as some companies set one. No call within the machine may go there.
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'])
    stack.environment[name] = 'http://127.0.0.1:9';
  expect(await stack.start(), stack.output).toBe('ready');
});
afterAll(async () => {
  await stack.stop();
  stack.remove();
});

async function findMessage(email: string): Promise<object | undefined> {
  const response = await fetch(stack.url('INBOX_PORT', '/emails'));
  const { data } = (await response.json()) as { data: { to: string[] }[] };
  return data.find(({ to }) => to.includes(email));
}

it('npm start prints the URLs of its pages, and serves those', async () => {
  const urls = stack.output.match(/http:\/\/\S+/g) ?? [];
  const [site, inbox] = [`http://localhost:${stack.environment['SITE_PORT']}`, stack.url('INBOX_PORT', '')];
  expect(urls).toEqual([site, inbox]);
  for (const url of urls) expect((await fetch(url)).status).toBe(200);
  expect(await (await fetch(site)).text()).toContain(stack.url('API_PORT', '/functions/v1/resend-email'));
});

it.runIf(existsSync('/proc/net/tcp'))('npm start can be reached only from this machine', () => {
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFileSync(file, 'utf8')).join('');
  // 0A means that it listens.
  const listening = [...sockets.matchAll(/^ *\d+: (\S+) \S+ 0A /gm)].map(([, local = '']) => local);
  const ports = Object.entries(stack.environment).filter(([name]) => name.endsWith('_PORT'));
  for (const [name, port] of ports) {
    const end = `:${Number(port).toString(16).toUpperCase()}`;
    const own = listening.filter((local) => local.endsWith(end));
    expect(own, name).toEqual([`0100007F${end}`]);
  }
  // The record with its secret key.
  expect(statSync(join(stack.dataDir, 'running.json')).mode & 0o777).toBe(0o600);
});

it('npm start refuses a second stack on its data, and says what is in the way', async () => {
  const other = new Stack(stack.dataDir);
  await other.choosePorts();
  expect(await other.start()).toBe('ended');
  expect(await other.stop()).toBe(1);
  expect(other.lastLine).toContain(`already running: http://localhost:${stack.environment['SITE_PORT']}. `);
});

it('npm start keeps the list for npm run dev, and stops on Ctrl-C with every port free', async () => {
  expect((await stack.signUp('name@example.org')).ok).toBe(true);
  expect(await waitUntil(async () => Boolean(await findMessage('name@example.org')), 30_000)).toBe(true);
  expect(await stack.usedPorts()).toHaveLength(4);
  expect(await stack.stop('SIGINT')).toBe(0);
  expect(await stack.usedPorts()).toEqual([]);
  expect(readRunFile(stack.dataDir)).toBeUndefined();

  stack.command = ['npm', 'run', 'dev'];
  // Astro serves no pages in a program that Vitest has started.
  stack.environment['VITEST'] = '';
  expect(await stack.start(), stack.output).toBe('ready');
  const env = { ...process.env, DATA_DIR: stack.dataDir };
  expect(execFileSync('./waitlist', ['export'], { env, encoding: 'utf8' })).toContain('name@example.org');
});

it('npm run dev serves the sources, and stops as a whole when one of its parts ends', async () => {
  // Only Astro's development server has it.
  expect((await fetch(stack.url('SITE_PORT', '/@vite/client'))).status, stack.output).toBe(200);
  process.kill(readRunFile(stack.dataDir)!.pids['inbox']!, 'SIGKILL');
  expect(await waitUntil(async () => (await stack.usedPorts()).length === 0, 30_000)).toBe(true);
  expect(await stack.end()).toBe(1);
  expect(stack.output).toContain('inbox has ended, so everything stops. The end of its log');
});
