import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startOwner } from './command-line.ts';

const { owner, sql } = startOwner();

afterEach(() => owner.describeStack());

/** Runs `count`, which must fail with one line, and resolves to that line. */
async function complain(expected = 1, environment: Record<string, string> = {}): Promise<string> {
  const { status, stdout, stderr } = await owner.run(['count'], environment);
  expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  expect(stderr.trimEnd()).not.toContain('\n');
  return stderr.trimEnd().replace(owner.settings.apiUrl, 'URL');
}

describe('the command line', () => {
  it('says what to do when there is no stack', async () => {
    const nothing = { DATA_DIR: owner.folder };
    const said =
      'There is no waitlist to work on. Start the local stack with npm start, or add --hosted for the deployment in .env.';
    expect(await complain(2, nothing)).toBe(said);
    // A stack of an older version, which crashed before an update.
    writeFileSync(join(owner.folder, 'running.json'), '{"apiUrl":"http://127.0.0.1:1"}');
    expect(await complain(2, nothing)).toBe(said);
  });

  it('reports a wrong key, without repeating it', async () => {
    const secretKey = 'sb_secret_of_another_project';
    owner.describeStack({ secretKey });
    const complaint = await complain();
    expect(complaint).toMatch(/^URL refuses the key\. Set SUPABASE_SECRET_KEY to the secret key/);
    expect(complaint).not.toContain(secretKey);
  });

  it('reports a project that cannot be reached', async () => {
    const server = createServer();
    const apiUrl = await listen(server);
    server.close();
    owner.describeStack({ apiUrl });
    expect(await complain()).toBe(
      `${apiUrl} cannot be reached (ECONNREFUSED). Check the URL and the network, or start the local stack again.`,
    );
  });

  it.each([
    ['a page', 200, '<!doctype html><p>Hello'],
    ['a missing page', 404, '<!doctype html><p>Nothing here'],
    ['a gateway with nothing behind it', 502, 'Bad gateway'],
  ])('says that it is not a project: %s', async (_, status, body) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    owner.describeStack({ apiUrl: await listen(server) });
    expect(await complain()).toMatch(
      /^http:\S+ is not a Supabase project: it answered \d+\. Check the URL in \.env, or start the local stack again\.$/,
    );
    server.close();
  });

  it('leaves no partial file behind when the project fails during an export', async () => {
    const members = [
      { email: 'a@example.com', created_at: '2026-11-21T00:00:00.000000Z', source: 'landing_page' },
    ];
    let calls = 0;
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      if (calls++ === 0) return void response.end(JSON.stringify(members));
      response
        .writeHead(500)
        .end('{"code":"57014","message":"canceling statement due to statement timeout"}');
    });
    const apiUrl = await listen(server);
    owner.describeStack({ apiUrl });
    const ended = await owner.run(['export', '--output', 'half.csv']);
    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr: `${apiUrl} answered list_members with 500: canceling statement due to statement timeout\n`,
    });
    expect(readdirSync(owner.folder).filter((name) => name.includes('half'))).toEqual([]);
    server.close();
  });

  it('says how to apply a missing migration, here and at a hosted project', async () => {
    const rename = (from: string, to: string) =>
      sql.unsafe(`alter function public.${from}() rename to ${to}`);
    await rename('count_members', 'count_members_later');
    try {
      expect(await complain()).toBe(
        'The database at URL has no count_members: a migration is missing. Run npm run deploy, or start the local stack again.',
      );
    } finally {
      await rename('count_members_later', 'count_members');
    }
    // https://docs.postgrest.org/en/v12/references/errors.html
    const server = createServer((_, response) => response.writeHead(404).end('{"code":"PGRST202"}'));
    owner.describeStack({ apiUrl: await listen(server) });
    expect(await complain()).toMatch(
      /^The database at http:\S+ has no count_members: a migration is missing\./,
    );
    server.close();
  });

  it('has help with examples for every command', async () => {
    const { stdout, status } = await owner.run(['--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('Exit status: 0 for success, 1 for failure, 2 for wrong usage');
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name]) => name!);
    expect(commands).toEqual(
      expect.arrayContaining(['list', 'show', 'export', 'remove', 'outbox', 'backup', 'restore', 'probe']),
    );
    for (const command of commands) {
      const help = await owner.run([command, '--help']);
      expect(help.status).toBe(0);
      expect(help.stdout, command).toMatch(/Examples?:\n {2}npm run /);
      expect(help.stdout, command).toContain('--json');
      // Without --silent, npm prints lines that a program cannot read.
      expect(help.stdout, command).not.toMatch(/npm run waitlist .*(--json|\|)/);
      if (command === 'outbox')
        expect(help.stdout).toContain(
          '  refused     the provider does not accept it; "retry" sends it again\n',
        );
    }
  });

  it('suggests the command that was probably meant', async () => {
    const { status, stderr } = await owner.run(['lst']);
    expect(status).toBe(2);
    expect(stderr).toBe('There is no command "lst". Did you mean list?\n');
  });
});

/** Makes a server listen on a free port, and resolves to its URL. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
