import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readRunFile } from '../../ops/stack/run-file.ts';
import { checkPublicKey } from '../../ops/probe/access.ts';
import { checkNames } from '../../ops/probe/finding.ts';
import { probe } from '../../ops/probe/probe.ts';
import { readTarget } from '../../ops/probe/target.ts';
import { Parts } from './parts.ts';

const stack = new Parts({ hasSite: true });
let sql: postgres.Sql;

beforeAll(async () => {
  await stack.choosePorts();
  await stack.start();
  sql = postgres(stack.databaseUrl, { onnotice: () => {} });
});

/** A probe leaves no member behind, whatever it finds. */
afterEach(async () => {
  expect(await sql`select email from waitlist_emails`).toEqual([]);
  expect(await sql`select from private.outbox where left_at is null`).toHaveLength(0);
});

afterAll(async () => {
  await sql?.end();
  await stack.stop();
  stack.remove();
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
    cwd: resolve(import.meta.dirname, '../..'),
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

it('a probe of a healthy deployment prints an "ok" line for each finding, in the order of the checks, and exits with 0', async () => {
  const { status, stdout, stderr } = await run();
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual(
    checkNames.map((name) => ['ok', name]),
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

  it('signs nobody up with a wrong key, and does not repeat the key', async () => {
    const { status, stdout } = await run({ SUPABASE_SECRET_KEY: 'sb_secret_wrong' });
    expect(stdout).toMatch(/^failed {3}database .*SUPABASE_SECRET_KEY/m);
    expect(stdout).not.toContain('sb_secret_wrong');
    expect(stdout).not.toContain('sign-up');
    expect(status).toBe(1);
  });
});

it('a probe that is stopped with Ctrl-C removes what it created', async () => {
  const { status, stdout } = await run({}, 'sign-up');
  expect(stdout).toContain('the test address is off the list again');
  expect(status).toBe(1);
});
