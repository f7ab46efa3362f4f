import { once } from 'node:events';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { owner } from './command-line.ts';
import { sql } from './sign-ups.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts something that answers the commands in place of a project. */
async function pretend(...answers: [status: number, body: string][]): Promise<string> {
  const server = createServer((_request, response) => {
    const [status, body] = answers.length > 1 ? answers.shift()! : answers[0]!;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  owner.describeStack({ apiUrl });
  return apiUrl;
}

/** Runs `limits`, which must fail with one line, and resolves to that line. */
async function complain(expected = 1): Promise<string> {
  const { status, stdout, stderr } = await owner.run(['limits']);
  expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  expect(stderr.trimEnd()).not.toContain('\n');
  return stderr.trimEnd();
}

describe('the command line says what to do', () => {
  it('when there is no stack, or a stack of an older version left a record', async () => {
    const { settings } = owner;
    for (const record of [undefined, '{"apiUrl":"http://127.0.0.1:1"}']) {
      if (record) writeFileSync(join(owner.folder, 'running.json'), record);
      owner.settings = { ...settings, dataDir: owner.folder };
      expect(await complain(2)).toMatch(
        /^There is no waitlist to work on\. Start the local stack with npm start/,
      );
    }
    owner.settings = settings;
  });

  it('about a missing migration', async () => {
    await sql`alter function list_limits() rename to limits_later`;
    const complaint = await complain().finally(
      () => sql`alter function limits_later() rename to list_limits`,
    );
    expect(complaint).toMatch(/has no list_limits: a migration is missing\. Run \.\/waitlist deploy/);
  });
});

it('what others wrote cannot drive the terminal', async () => {
  const message = 'Stop\u001b]0;title\u0007\u009b2J\u202e';
  await pretend([500, JSON.stringify({ code: 'XX000', message })]);
  expect(await complain()).toMatch(/ with 500: Stop\\u001b\]0;title\\u0007\\u009b2J\\u202e$/);
  await pretend([200, JSON.stringify([{ email: message, created_at: '' }])], [200, '[]']);
  const { stdout } = await owner.run(['export', '--json']);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u);
  expect(JSON.parse(stdout)).toEqual({ email: message, created_at: '' });
});

it('every command has help with examples', async () => {
  const { stdout, status } = await owner.run(['help']);
  expect(status).toBe(0);
  const listed = stdout.split('Commands:\n')[1]!.split('\n\n')[0]!;
  const commands = [...listed.matchAll(/^ {2}([a-z][a-z-]*) .*$/gm)].map(([, name]) => name!);
  expect(commands).toEqual(expect.arrayContaining(['summary', 'show', 'announce', 'restore', 'probe']));
  for (const command of commands.filter((name) => !['deploy', 'help'].includes(name))) {
    const help = await owner.run(['help', command]);
    expect(help.status).toBe(0);
    expect(help.stdout, command).toMatch(/Examples:\n {2}\.\/waitlist/);
    expect(help.stdout, command).toContain('--json');
  }
});

describe('as a process of its own', () => {
  it('ends quietly when the program that reads it stops, such as head', async () => {
    // More than the pipe holds.
    const rows = Array(10_000).fill({ email: 'a@example.com', created_at: '' });
    await pretend([200, JSON.stringify(rows)], [200, '[]']);
    const child = owner.spawn(['export', '--json']);
    const complaint = child.stderr!.toArray();
    const ended = once(child, 'close');
    await once(createInterface({ input: child.stdout! }), 'line');
    child.stdout!.destroy();
    expect(await ended).toEqual([0, null]);
    expect(await complaint).toEqual([]);
  });

  it.runIf(existsSync('/dev/full'))('fails when its output is cut off, as on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = owner.spawn(['export'], ['ignore', full, 'pipe']);
    const stderr = child.stderr!.toArray();
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(Buffer.concat(await stderr).toString()).toBe('The output cannot be written (ENOSPC).\n');
    closeSync(full);
  });
});
