import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { Stack } from './stack.ts';

/** What a new developer tries first. The `check` workflow runs it on macOS, too. */
const stack = new Stack();
stack.command = ['npm', 'start'];

beforeAll(async () => {
  await stack.choosePorts();
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

async function readInbox(): Promise<string[]> {
  return (await readMessages()).map(({ to }) => to[0] ?? '');
}

it('npm start keeps list and inbox for the next start, and stops on Ctrl-C', async () => {
  for (const response of await stack.signUp('name@example.org')) expect(response.ok).toBe(true);
  expect(await waitUntil(async () => (await readInbox()).includes('name@example.org'), 30_000)).toBe(true);
  await stack.signUp(bouncing);
  expect(await waitUntil(async () => (await show(bouncing)).is_never_mailed, 30_000)).toBe(true);
  await stack.waitlist('remove', bouncing, '--yes');
  expect(await stack.stop('SIGINT')).toBe(0);
  await stack.start();
  expect(await readInbox()).toContain('name@example.org');
  expect(JSON.parse((await stack.waitlist('list', '--json')).stdout)).toEqual([
    { email: 'name@example.org', created_at: expect.stringMatching(/^\d{4}-.*Z$/), source: 'landing_page' },
  ]);
  // Recognized by a hash that depends on TOKEN_SECRET.
  await stack.signUp(bouncing);
  const readState = async () => (await show(bouncing)).messages[0]?.state;
  expect(await waitUntil(async () => (await readState()) !== 'waiting', 30_000)).toBe(true);
  expect(await readState()).toBe('refused');
});

it('npm start shows the unsubscribe link in the inbox', async () => {
  await stack.signUp('leaver@example.org');
  expect(await waitUntil(async () => (await readInbox()).includes('leaver@example.org'), 30_000)).toBe(true);
  const { id } = (await readMessages()).find(({ to }) => to.includes('leaver@example.org'))!;
  const page = await (await fetch(stack.url('INBOX_PORT', `/inbox/${id}`))).text();
  const [, link = ''] = /List-Unsubscribe:.*?<a href="(http[^"]+)"/.exec(page) ?? [];
  const { url, ok } = await fetch(link);
  expect(ok).toBe(true);
  expect(url).toMatch(`http://localhost:${stack.environment['SITE_PORT']}/leave`);
});
