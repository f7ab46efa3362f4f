import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkPublicKey } from '../../ops/probe/access.ts';
import { probe } from '../../ops/probe/probe.ts';
import { readTarget } from '../../ops/probe/target.ts';
import { prepareDatabase } from '../../ops/stack/database.ts';
import { waitUntil } from '../../ops/stack/process.ts';
import { readRunFile } from '../../ops/stack/run-file.ts';
import { SiteCopy } from '../pages/site-copy.ts';
import { readTable } from '../words.ts';
import { Stack } from './stack.ts';

/** What a new developer tries first, and a probe of it. The workflow `macos` runs it on macOS, too. */
const stack = new Stack();
stack.command = ['npm', 'start'];

beforeAll(async () => {
  await stack.choosePorts();
  // A proxy that does not answer, as some companies set one. No call within the machine may go there.
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'])
    stack.environment[name] = 'http://127.0.0.1:9';
  expect(await stack.start(), stack.output).toBe('ready');
});
const payouts = 'content/faq/payouts.mdx';
const copy = new SiteCopy({ content: 'known', others: ['ops', 'supabase'] });
// For root, PostgreSQL runs as another user, who finds its program in here.
chmodSync(copy.folder, 0o755);
afterAll(async () => {
  await stack.stop();
  stack.remove();
  copy.remove();
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
  const lastLine = other.output.trim().split('\n').at(-1);
  expect(lastLine).toContain(`already running: http://localhost:${stack.environment['SITE_PORT']}. `);
});

describe('a probe', () => {
  let sql: postgres.Sql;
  beforeAll(() => void (sql = postgres(stack.databaseUrl, { onnotice: () => {} })));
  afterAll(() => sql.end());

  /** A probe leaves no member behind, whatever it finds. */
  afterEach(async () => {
    expect(await sql`select email from waitlist_emails`).toEqual([]);
    expect(await sql`select from private.outbox where left_at is null`).toHaveLength(0);
  });

  /** The environment of a probe, as a deployment or a workflow sets it. */
  const describeStack = () => ({
    PUBLIC_SITE_URL: stack.url('SITE_PORT'),
    PUBLIC_SUPABASE_URL: stack.url('API_PORT'),
    SUPABASE_SECRET_KEY: readRunFile(stack.dataDir)!.settings.secretKey,
  });

  /** Runs the command as a workflow does, which sets the values of the deployment in the environment. */
  async function run(environment: Record<string, string> = {}, interruptAt?: string) {
    const child = spawn('./waitlist', ['--hosted', 'probe'], {
      env: { ...process.env, ...describeStack(), ...environment },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (interruptAt && String(chunk).includes(interruptAt)) child.kill('SIGINT');
    });
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const [status] = await once(child, 'close');
    return { status: status as number, stdout, stderr };
  }

  it('a probe of a healthy deployment prints an "ok" line for each finding, in the order of the docs, and exits with 0', async () => {
    const { status, stdout, stderr } = await run();
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual(
      readTable('finding').map((name) => ['ok', name]),
    );
    expect(stderr).toBe(`At ${stack.url('API_PORT')}\n`);
    expect(status).toBe(0);
    const built = globSync('**/*.html', { cwd: readRunFile(stack.dataDir)!.settings.siteFolder });
    expect(built).toContain('404.html');
    expect(lines[0]).toContain(`${built.length - 1} pages at http://127.0.0.1:`);
    expect(stdout).toContain('sees this caller in x-caller-address, and nobody can forge it');
  });

  describe('a probe of a database', () => {
    it.each<[what: string, found: RegExp, broken: string]>([
      [
        'in which anybody may do anything to the list',
        /^it can delete an entry; it can change an entry; it can read the list$/,
        `grant select, update, delete on waitlist_emails to anon; grant usage on schema private to anon;
       grant execute on all functions in schema private to anon;
       create policy loose on waitlist_emails for all to anon using (true)`,
      ],
      [
        'that refuses what a page inserts, and lets anybody look up a member and send',
        /^it cannot join: .*; it can look up a member; it can lease a welcome$/,
        `revoke insert on waitlist_emails from anon;
       grant execute on function find_member(text), lease_delivery() to anon`,
      ],
    ])('%s reports that', async (_, found, broken) => {
      const key = { publicKey: readRunFile(stack.dataDir)!.settings.publicKey, functionUrl: '' };
      await sql.unsafe(broken);
      try {
        const signal = AbortSignal.timeout(30_000);
        const result = await checkPublicKey(readTarget(describeStack()), key, 'a@resend.dev', signal);
        expect(result).toMatchObject({ status: 'failed', found: expect.stringMatching(found) });
      } finally {
        await sql.unsafe(`
        drop policy if exists loose on waitlist_emails; revoke all on waitlist_emails from anon;
        grant insert (email, created_at, source) on waitlist_emails to anon;
        revoke usage on schema private from anon; revoke execute on all functions in schema private from anon;
        revoke execute on function find_member(text), lease_delivery() from anon`);
      }
    });

    it('that does not remove the test address says what to type', async () => {
      await sql.unsafe(`alter function remove_members rename to remove_members_later;
      create function remove_members(emails text[], only_undelivered boolean default false) returns int language sql as 'select 1'`);
      const findings = await Array.fromAsync(probe(describeStack(), new AbortController().signal));
      await sql.unsafe(`drop function remove_members;
      alter function remove_members_later rename to remove_members`);
      await sql`select remove_members(array[email]) from waitlist_emails`;
      const { status, found, todo } = findings.at(-1)!;
      const email = /^(delivered\+probe-\w+@resend\.dev) still exists$/.exec(found)?.[1];
      expect({ status, todo }).toEqual({ status: 'failed', todo: `Run: ./waitlist remove ${email}` });
    });

    it('warns that sign-ups are closed, and goes no further', async () => {
      await sql`select set_limit('sign_ups', 0)`;
      const findings = await Array.fromAsync(probe(describeStack(), new AbortController().signal));
      await sql`select set_limit('sign_ups', 1)`;
      expect(findings.at(-2)).toMatchObject({ name: 'sign-up', status: 'warning' });
    });

    it('signs nobody up with a wrong key, and does not repeat the key', async () => {
      const { status, stdout } = await run({ SUPABASE_SECRET_KEY: 'sb_secret_wrong' });
      expect(stdout).toMatch(/^failed {3}database .*SUPABASE_SECRET_KEY/m);
      expect(stdout).not.toContain('sb_secret_wrong');
      expect(stdout).not.toContain('sign-up');
      expect(status).toBe(1);
    });
  });

  it('a probe that is stopped with Ctrl-C during its sign-up removes what it created', async () => {
    const { status, stdout } = await run({}, 'unsubscribe');
    expect(stdout).toMatch(/^ok +sign-up .*^ok +clean-up .*the test address is off the list again/ms);
    expect(status).toBe(1);
  });
});

it('npm start keeps the list for npm run dev, and stops on Ctrl-C with every port free', async () => {
  const signedUp = await fetch(stack.url('API_PORT', '/functions/v1/resend-email'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: 'sb_publishable_local_stack_of_dropyard' },
    body: JSON.stringify({ to: 'name@example.org' }),
  });
  expect(signedUp.ok).toBe(true);
  expect(await waitUntil(async () => Boolean(await findMessage('name@example.org')), 30_000)).toBe(true);
  expect(await stack.usedPorts()).toHaveLength(4);
  expect(await stack.stop('SIGINT')).toBe(0);
  expect(await stack.usedPorts()).toEqual([]);
  expect(readRunFile(stack.dataDir)).toBeUndefined();
  // As a crash leaves it. By now, it may be the PID of another process.
  const pidFile = join(stack.dataDir, 'database/postmaster.pid');
  writeFileSync(pidFile, `${process.pid}\n`);
  prepareDatabase(stack.dataDir, 1);
  expect(existsSync(pidFile)).toBe(false);

  stack.command = ['npm', 'run', 'dev'];
  stack.folder = copy.folder;
  // Astro serves no pages in a program that Vitest has started.
  stack.environment['VITEST'] = '';
  expect(await stack.start(), stack.output).toBe('ready');
  const env = { ...process.env, DATA_DIR: stack.dataDir };
  expect(execFileSync('./waitlist', ['export'], { env, encoding: 'utf8' })).toContain('name@example.org');
});

it('a start keeps a folder that it did not make', () => {
  const mine = join(copy.folder, 'database', 'mine');
  mkdirSync(mine, { recursive: true });
  const words = `The database could not be created in ${dirname(mine)}. `;
  expect(() => prepareDatabase(copy.folder, 1)).toThrow(words);
  expect(existsSync(mine)).toBe(true);
});

it('npm run dev names the line of a mistake in content, and shows the page once it is fixed', async () => {
  const right = copy.read(payouts);
  const expectPage = async (status: number, words: string) => {
    const open = async () => {
      const headers = { Accept: 'text/html' };
      const response = await fetch(stack.url('SITE_PORT'), { headers }).catch(() => Response.error());
      return { status: response.status, html: await response.text() };
    };
    const expected = { status, html: expect.stringContaining(words) };
    await expect.poll(open, { timeout: 100_000 }).toEqual(expected);
  };
  await expectPage(200, 'What is a test paid?');
  copy.edit(payouts, 'order: 904', 'order: [4');
  await expectPage(500, `${payouts}:2  `);
  copy.write(payouts, right.replace('paid', 'given'));
  await expectPage(200, 'What is a test given?');
});

it('npm run dev stops as a whole when one of its parts ends', async () => {
  process.kill(readRunFile(stack.dataDir)!.pids['inbox']!, 'SIGKILL');
  expect(await waitUntil(async () => (await stack.usedPorts()).length === 0, 30_000)).toBe(true);
  expect(await stack.end()).toBe(1);
  expect(stack.output).toContain('inbox has ended, so everything stops. The end of its log');
});
