import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../ops/stack/process.ts';
import { readRunFile } from '../../ops/stack/run-file.ts';
import { checkPublicKey } from '../../ops/probe/access.ts';
import { checkNames, type Finding } from '../../ops/probe/finding.ts';
import { probe, readTarget } from '../../ops/probe/probe.ts';
import { Mirror } from './mirror.ts';
import { Parts } from './parts.ts';

/** The stack, with a provider that can fail on request. */
const stack = new Parts({ hasSite: true });
let provider: Mirror;
let sql: postgres.Sql;

const honest: Mirror['change'] = (_, answer) => answer();

beforeAll(async () => {
  await stack.choosePorts();
  provider = new Mirror(stack.url('INBOX_PORT'));
  await provider.listen();
  stack.environment = { ...stack.environment, RESEND_BASE_URL: provider.url };
  await stack.start();
  sql = postgres(stack.databaseUrl, { onnotice: () => {} });
});

beforeEach(() => {
  provider.change = honest;
});

/** A probe leaves nothing behind, whatever it finds. */
afterEach(async () => {
  expect(await sql`select email from waitlist_emails`).toEqual([]);
  expect(await sql`select from private.outbox`).toHaveLength(0);
});

afterAll(async () => {
  await sql?.end();
  await stack.stop();
  provider.close();
  stack.remove();
});

/** The environment of a probe, as a deployment or a workflow sets it. */
const describeStack = () => ({
  PUBLIC_SITE_URL: stack.url('SITE_PORT'),
  PUBLIC_SUPABASE_URL: stack.url('API_PORT'),
  SUPABASE_SECRET_KEY: readRunFile(stack.dataDir)!.settings.secretKey,
});

/** Starts the command as a workflow does, which sets the values of the deployment in the environment. */
function start(environment: Record<string, string> = {}) {
  const child = spawn('./waitlist', ['--hosted', 'probe'], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, ...describeStack(), ...environment },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([status]) => ({ status: status as number, stdout, stderr }));
  return { child, ended, read: () => stdout };
}

describe('a probe of a healthy deployment', () => {
  it('prints an "ok" line for each finding, in the order of the checks, and exits with 0', async () => {
    const { status, stdout, stderr } = await start().ended;
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual(
      checkNames.map((name) => ['ok', name]),
    );
    expect(stderr).toBe(`At ${stack.url('API_PORT')}\n`);
    expect(status).toBe(0);
    const built = globSync('**/*.html', {
      cwd: readRunFile(stack.dataDir)!.settings.siteFolder,
      exclude: (name) => name === '404.html',
    });
    expect(lines[0]).toContain(
      `${built.length} pages at http://127.0.0.1:${stack.environment['SITE_PORT']}, and a 404`,
    );
    expect(stdout).toContain('sees this caller in x-caller-address, and nobody can forge it');
  });

  it('prints JSON for the owner', async () => {
    const { stdout } = await stack.waitlist('probe', '--json');
    expect((JSON.parse(stdout) as Finding[]).map(({ name }) => name)).toEqual(checkNames);
  });
});

describe('a probe of a database', () => {
  it.each<[what: string, found: string, broken: string]>([
    [
      'in which anybody may do anything to the list',
      'it can delete an entry; it can change an entry; it can read the list',
      `grant select, update, delete on waitlist_emails to anon; grant usage on schema private to anon;
       grant execute on all functions in schema private to anon;
       create policy loose on waitlist_emails for all to anon using (true)`,
    ],
    [
      'in which anybody may look up a member, and send',
      'it can look up a member; it can lease a welcome',
      `grant execute on function find_member(text), lease_delivery() to anon`,
    ],
    [
      'that refuses what a page inserts',
      'it cannot join: the database answers the page’s insert with',
      `revoke insert on waitlist_emails from anon`,
    ],
  ])('%s reports that', async (_, found, broken) => {
    const key = { publicKey: readRunFile(stack.dataDir)!.settings.publicKey, functionUrl: '' };
    await sql.unsafe(broken);
    try {
      const signal = AbortSignal.timeout(30_000);
      const result = await checkPublicKey(readTarget(describeStack()), key, 'a@resend.dev', signal);
      expect(result).toMatchObject({ status: 'failed', found: expect.stringContaining(found) });
    } finally {
      await sql.unsafe(`
        drop policy if exists loose on waitlist_emails; revoke all on waitlist_emails from anon;
        grant insert (email, created_at, source) on waitlist_emails to anon;
        revoke usage on schema private from anon; revoke execute on all functions in schema private from anon;
        revoke execute on function find_member(text), lease_delivery() from anon`);
    }
  });

  it('that does not remove the test address says what to type', async () => {
    await sql.unsafe(`alter function remove_member(text) rename to remove_member_later;
      create function remove_member(email text) returns boolean language sql as 'select true'`);
    const findings = await Array.fromAsync(probe(describeStack(), { stop: new AbortController().signal }));
    await sql.unsafe(`drop function remove_member(text);
      alter function remove_member_later(text) rename to remove_member`);
    await sql`select remove_member(email) from waitlist_emails`;
    const { status, found, todo } = findings.at(-1)!;
    const email = /^(delivered\+probe-\w+@resend\.dev) still exists$/.exec(found)?.[1];
    expect({ status, todo }).toEqual({ status: 'failed', todo: `Run: ./waitlist remove ${email}` });
  });

  it('signs nobody up with a wrong key, and does not repeat the key', async () => {
    const { status, stdout } = await start({ SUPABASE_SECRET_KEY: 'sb_secret_wrong' }).ended;
    expect(stdout).toMatch(/^failed {3}database .*SUPABASE_SECRET_KEY/m);
    expect(stdout).not.toContain('sb_secret_wrong');
    expect(stdout).not.toContain('sign-up');
    expect(status).toBe(1);
  });
});

describe('a probe that is stopped', () => {
  it('begins no other check, and creates nothing', async () => {
    const stop = new AbortController();
    const names: string[] = [];
    for await (const { name } of probe(describeStack(), { stop: stop.signal })) {
      names.push(name);
      if (name === 'limits') stop.abort();
    }
    expect(names).toEqual(['pages', 'host', 'headers', 'database', 'limits', 'clean-up']);
  });

  it('does not wait any longer for a report that is missing', async () => {
    provider.change = async () => Response.json({ id: 'taken' });
    const stop = new AbortController();
    const names: string[] = [];
    for await (const { name } of probe(describeStack(), {
      stop: stop.signal,
      timeout: Infinity,
    })) {
      names.push(name);
      // The next check has begun by then.
      if (name === 'welcome') setImmediate(() => stop.abort());
    }
    expect(names.slice(-3)).toEqual(['welcome', 'delivery', 'clean-up']);
  });

  it('removes everything that an unfinished call created', async () => {
    const [site, api] = [new Mirror(stack.url('SITE_PORT')), new Mirror(stack.url('API_PORT'))];
    await Promise.all([site.listen(), api.listen()]);
    site.change = async (_, answer) => {
      const page = await answer();
      return new Response((await page.text()).replaceAll(stack.url('API_PORT', ''), api.url), page);
    };
    const { child, ended, read } = start({ PUBLIC_SITE_URL: site.url });
    api.change = async (_, answer) => {
      child.kill('SIGINT');
      // Longer than a clean-up that does not wait for the answer.
      await waitUntil(() => read().includes('clean-up'), 1_000);
      return answer();
    };
    const { status, stdout } = await ended;
    api.close();
    site.close();
    expect(stdout).toContain('the probe left nothing behind');
    expect(status).toBe(130);
  });

  it('removes everything when nobody reads its output anymore, and does not exit with 0', async () => {
    const { child, ended } = start();
    const isClosed = once(child.stdout, 'data').then(() => child.stdout.destroy());
    // Otherwise the probe could have printed everything by then.
    provider.change = async (_, answer) => (await isClosed, answer());
    expect(await ended).toMatchObject({ status: 1 });
  });
});
