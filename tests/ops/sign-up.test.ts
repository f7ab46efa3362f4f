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

async function readMessages(): Promise<{ id: string; to: string[] }[]> {
  const response = await fetch(stack.url('INBOX_PORT', '/emails'));
  return ((await response.json()) as { data: { id: string; to: string[] }[] }).data;
}

/** As at Resend, mail to this address bounces. */
const bouncing = 'bounced@resend.dev';

async function show(email: string): Promise<{ messages: { state: string }[]; is_never_mailed: boolean }> {
  const { stdout } = await stack.waitlist('show', email, '--json');
  return JSON.parse(stdout);
}

const findMessage = async (email: string) => (await readMessages()).find(({ to }) => to.includes(email));

it('npm start prints its steps and the URLs of its pages, and serves those', async () => {
  for (const step of ['Starting PostgreSQL', 'Building the site', 'Starting the inbox'])
    expect(stack.output).toContain(step);
  const urls = stack.output.match(/http:\/\/\S+/g) ?? [];
  const [site, inbox] = [`http://localhost:${stack.environment['SITE_PORT']}`, stack.url('INBOX_PORT', '')];
  expect(urls).toEqual([site, inbox]);
  for (const url of urls) expect((await fetch(url)).status).toBe(200);
  expect(await (await fetch(site)).text()).toContain(stack.url('API_PORT', '/functions/v1/resend-email'));
});

it.runIf(existsSync('/proc/net/tcp'))('npm start can be reached only from this machine', () => {
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/)),
  );
  const listening = sockets.filter(([, , , state]) => state === '0A').map(([, local = '']) => local);
  const ports = Object.entries(stack.environment).filter(([name]) => name.endsWith('_PORT'));
  for (const [name, port] of ports) {
    const end = `:${Number(port).toString(16).toUpperCase()}`;
    const own = listening.filter((local) => local.endsWith(end));
    expect(own, name).toEqual([`0100007F${end}`]);
  }
  // The record with its secret key.
  expect(statSync(join(stack.dataDir, 'running.json')).mode & 0o777).toBe(0o600);
});

it('npm start refuses a second stack on its data, whatever its ports are, and says what is in the way', async () => {
  const other = new Stack(stack.dataDir);
  await other.choosePorts();
  for (const environment of [other.environment, stack.environment]) {
    other.environment = environment;
    expect(await other.start()).toBe('ended');
    expect(await other.stop()).toBe(1);
    expect(other.lastLine).toContain(
      `already running: http://localhost:${stack.environment['SITE_PORT']}. To run another one beside it, set DATA_DIR`,
    );
  }
});

it('npm start shows the unsubscribe link in the inbox', async () => {
  await stack.signUp('leaver@example.org');
  expect(await waitUntil(async () => Boolean(await findMessage('leaver@example.org')), 30_000)).toBe(true);
  const { id } = (await findMessage('leaver@example.org'))!;
  const page = await (await fetch(stack.url('INBOX_PORT', `/inbox/${id}`))).text();
  const [, link = ''] = /List-Unsubscribe:.*?<a href="(http[^"]+)"/.exec(page) ?? [];
  const { url, ok } = await fetch(link);
  expect(ok).toBe(true);
  expect(url).toMatch(`http://localhost:${stack.environment['SITE_PORT']}/unsubscribe`);
  await stack.waitlist('remove', 'leaver@example.org', '--yes');
});

it('npm start keeps list and inbox for the next start, and stops on Ctrl-C with every port free', async () => {
  for (const response of await stack.signUp('name@example.org')) expect(response.ok).toBe(true);
  expect(await waitUntil(async () => Boolean(await findMessage('name@example.org')), 30_000)).toBe(true);
  await stack.signUp(bouncing);
  expect(await waitUntil(async () => (await show(bouncing)).is_never_mailed, 30_000)).toBe(true);
  await stack.waitlist('remove', bouncing, '--yes');
  expect(await stack.usedPorts()).toHaveLength(4);
  expect(await stack.stop('SIGINT')).toBe(0);
  expect(await stack.usedPorts()).toEqual([]);
  expect(readRunFile(stack.dataDir)).toBeUndefined();

  // Without npm, so that the next test can kill it.
  stack.command = [process.execPath, 'ops/stack/start.ts'];
  expect(await stack.start(), stack.output).toBe('ready');
  expect(await findMessage('name@example.org')).toBeDefined();
  expect(JSON.parse((await stack.waitlist('export', '--json')).stdout)).toEqual({
    ...{
      email: 'name@example.org',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      source: 'landing_page',
    },
    announcements: null,
  });
  // Recognized by a hash that depends on TOKEN_SECRET.
  await stack.signUp(bouncing);
  const readState = async () => (await show(bouncing)).messages[0]?.state;
  expect(await waitUntil(async () => (await readState()) !== 'waiting', 30_000)).toBe(true);
  expect(await readState()).toBe('refused');
});

it('npm start says what a killed stack left behind, and how to end it', async () => {
  await stack.stop('SIGKILL');
  expect(await stack.start()).toBe('ended');
  const [, pids = ''] = /end what it left behind: kill ([\d ]+)$/.exec(stack.lastLine) ?? [];
  for (const pid of pids.split(' ')) process.kill(Number(pid));
  expect(await waitUntil(async () => (await stack.usedPorts()).length === 0, 30_000)).toBe(true);
});

it('npm start stops cleanly while the site is built', async () => {
  const started = stack.start();
  expect(await waitUntil(() => stack.output.includes('Building the site'), 60_000)).toBe(true);
  expect(await stack.stop('SIGINT')).toBe(0);
  await started;
  expect(stack.output).not.toContain('could not be built');
  expect(await stack.usedPorts()).toEqual([]);
});
