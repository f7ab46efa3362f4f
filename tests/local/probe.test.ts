import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { readRunFile } from '../../local/run-file.ts';
import { findFreePort } from '../../local/settings.ts';
import { checkPublicKey } from '../../probe/access.ts';
import { checkNames, type Finding } from '../../probe/finding.ts';
import { probe } from '../../probe/probe.ts';
import { readTarget } from '../../probe/target.ts';
import { Mirror } from './mirror.ts';
import { Parts } from './parts.ts';

/** The stack, with a site and a provider that can fail on request. */
const stack = new Parts({ hasSite: true });
let nowhere: string;
let site: Mirror;
let provider: Mirror;
let sql: postgres.Sql;

const honest: Mirror['change'] = (_, answer) => answer();

beforeAll(async () => {
  await stack.choosePorts();
  nowhere = `http://127.0.0.1:${await findFreePort()}`;
  provider = new Mirror(stack.url('INBOX_PORT'));
  site = new Mirror(stack.url('SITE_PORT'));
  await Promise.all([provider.listen(), site.listen()]);
  stack.environment = { ...stack.environment, RESEND_BASE_URL: provider.url };
  await stack.start();
  sql = postgres(stack.databaseUrl, { onnotice: () => {} });
});

beforeEach(() => {
  site.change = honest;
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
  site.close();
  provider.close();
  stack.remove();
});

/** The environment of a probe, as a deployment or a workflow sets it. */
const describeStack = () => ({
  PUBLIC_SITE_URL: stack.url('SITE_PORT'),
  PUBLIC_SUPABASE_URL: stack.url('API_PORT'),
  SUPABASE_SECRET_KEY: readRunFile(stack.dataDir)!.settings.secretKey,
});

/** Starts the probe program that deployments and workflows run. */
function start(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['probe/main.ts'], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, ...describeStack(), ...environment },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([status]) => ({ status: status as number, stdout, stderr }));
  return { child, ended, read: () => stdout };
}

/** How long a probe waits, and a problem or state of the welcome that must be recorded before it starts to wait. */
interface Timing {
  patience?: number;
  recorded?: string;
}

async function look(
  values: Record<string, string> = {},
  { patience, recorded }: Timing = {},
): Promise<Finding[]> {
  const target = readTarget({ ...describeStack(), ...values });
  const findings: Finding[] = [];
  let wasRecorded = !recorded;
  for await (const finding of probe(target, { stop: new AbortController().signal, patience })) {
    findings.push(finding);
    const isRecorded = async () =>
      (
        await sql`select from private.outbox where state::text = ${recorded!} or strpos(last_problem, ${recorded!}) > 0`
      ).length > 0;
    if (recorded && finding.name === 'callers') wasRecorded = await waitUntil(isRecorded, 30_000);
  }
  expect(wasRecorded, recorded).toBe(true);
  return findings;
}

/** Probes, expects one finding, and resolves to the names of all failed findings. */
async function expectFinding(
  name: string,
  found: string | RegExp,
  values: Record<string, string> = {},
  { status = 'failed', ...timing }: { status?: Finding['status'] } & Timing = {},
): Promise<string[]> {
  const findings = await look(values, timing);
  const finding = findings.find((candidate) => candidate.name === name);
  expect(finding).toMatchObject({ status, found: expect.stringMatching(found) });
  expect(finding?.todo).toMatch(/\w{4}/);
  return findings.filter((failed) => failed.status === 'failed').map((failed) => failed.name);
}

describe('a probe of a healthy deployment', () => {
  it('prints an "ok" line for each finding, in the order of the checks, and exits with 0', async () => {
    const { status, stdout, stderr } = await start().ended;
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual(
      checkNames.map((name) => ['ok', name]),
    );
    expect(stderr).toBe('');
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

/** Serves every page with a change. */
const changePages =
  (change: (html: string) => string): Mirror['change'] =>
  async (_, answer) => {
    const page = await answer();
    return new Response(change(await page.text()), page);
  };

it('a probe of a site whose form posts to nothing reports that', async () => {
  site.change = changePages((html) => html.replaceAll(stack.url('API_PORT', ''), nowhere));
  expect(await expectFinding('sign-up', 'ECONNREFUSED', { PUBLIC_SITE_URL: site.url })).toEqual(['sign-up']);
});

describe('a probe of a database', () => {
  it.each<[what: string, found: string, broken: string, repaired: string]>([
    [
      'that anybody may read',
      'it can read the list',
      `grant select on waitlist_emails to anon; create policy loose on waitlist_emails for select to anon using (true)`,
      `drop policy loose on waitlist_emails; revoke select on waitlist_emails from anon`,
    ],
    [
      'in which anybody may delete',
      'it can delete an entry',
      `grant select, delete on waitlist_emails to anon; create policy loose on waitlist_emails for all to anon using (true)`,
      `drop policy loose on waitlist_emails; revoke select, delete on waitlist_emails from anon`,
    ],
    [
      'in which anybody may change an entry',
      'it can change an entry',
      `grant select, update on waitlist_emails to anon; grant usage on schema private to anon;
       grant execute on all functions in schema private to anon; create policy loose on waitlist_emails for all to anon using (true)`,
      `drop policy loose on waitlist_emails; revoke select, update on waitlist_emails from anon;
       revoke usage on schema private from anon; revoke execute on all functions in schema private from anon`,
    ],
    [
      'in which anybody may look up a sign-up',
      'it can read the outbox',
      `grant execute on function inspect_sign_up(text) to anon`,
      `revoke execute on function inspect_sign_up(text) from anon`,
    ],
    [
      'in which anybody may send',
      'it can lease a welcome',
      `grant execute on function lease_delivery() to anon`,
      `revoke execute on function lease_delivery() from anon`,
    ],
    [
      'that refuses what a page inserts',
      'it cannot join: the database answers the page’s insert with',
      `revoke insert on waitlist_emails from anon`,
      `grant insert (email, created_at, source) on waitlist_emails to anon`,
    ],
  ])('%s reports that', async (_, found, broken, repaired) => {
    const key = { publicKey: readRunFile(stack.dataDir)!.settings.publicKey, functionUrl: '' };
    await sql.unsafe(broken);
    try {
      const result = await checkPublicKey(
        readTarget(describeStack()),
        key,
        'a@resend.dev',
        AbortSignal.timeout(30_000),
      );
      expect(result).toMatchObject({ status: 'failed', found: expect.stringContaining(found) });
    } finally {
      await sql.unsafe(repaired);
    }
  });

  it('whose deliveries are slowed down reports that, also when nobody can sign up', async () => {
    await sql`insert into private.hours (hour, sent, bounced) values (date_trunc('hour', now(), 'UTC'), 100, 50)
      on conflict (hour) do update set sent = 100, bounced = 50`;
    try {
      const key = { PUBLIC_SITE_URL: nowhere };
      expect(await expectFinding('limits', '50 of 100 messages .* bounced', key)).toEqual([
        'pages',
        'limits',
      ]);
    } finally {
      await sql`select lift_brake()`;
    }
  });

  it('that does not remove the test address says what to type', async () => {
    await sql.unsafe(`alter function forget_probe(text) rename to forget_probe_later;
      create function forget_probe(email text) returns void language sql as ''`);
    const findings = await look();
    await sql.unsafe(`drop function forget_probe(text);
      alter function forget_probe_later(text) rename to forget_probe`);
    await sql`select forget_probe(email) from waitlist_emails`;
    const { status, found, todo } = findings.at(-1)!;
    const email = /^(delivered\+probe-\w+@resend\.dev) still exists$/.exec(found)?.[1];
    expect({ status, todo }).toEqual({ status: 'failed', todo: `Run: npm run waitlist -- remove ${email}` });
  });

  it('signs nobody up with a wrong key, and does not repeat the key', async () => {
    const { status, stdout } = await start({ SUPABASE_SECRET_KEY: 'sb_secret_wrong' }).ended;
    expect(stdout).toMatch(/^failed {3}database .*SUPABASE_SECRET_KEY/m);
    expect(stdout).not.toContain('sb_secret_wrong');
    expect(stdout).not.toContain('sign-up');
    expect(status).toBe(1);
  });
});

describe('a probe of a welcome', () => {
  const refuse = (status: number, name: string) =>
    (provider.change = async () => Response.json({ name }, { status }));

  it('reports the answer of the provider', async () => {
    refuse(422, 'validation_error');
    await expectFinding('welcome', 'refused: Resend answered 422');
  });

  it('only warns while the quota of the provider is used up', async () => {
    refuse(429, 'daily_quota_exceeded');
    const warned = { status: 'warning', patience: 0, recorded: 'daily_quota_exceeded' } as const;
    expect(await expectFinding('welcome', 'daily_quota_exceeded', {}, warned)).toEqual([]);
    await sql`update private.pace set next_delivery_at = now()`;
  });

  it('only warns while other welcomes are sent before it', async () => {
    // First, because a delivery may start at any time.
    await sql`update private.pace set next_delivery_at = now() + interval '10 minutes'`;
    const others = [1, 2, 3].map((number) => `other${number}@example.com`);
    const template = '{"subject":"s","html":"h","text":"t"}';
    for (const email of others)
      await sql`select accept_sign_up(${email}, ${template}, gen_random_uuid(), md5(${email}), ${email}, null, md5(${email}))`;
    try {
      const warned = { status: 'warning', patience: 0 } as const;
      expect(await expectFinding('welcome', 'waiting, 3 ahead of it', {}, warned)).toEqual([]);
    } finally {
      for (const email of others) await sql`select remove_member(${email})`;
      await sql`update private.pace set next_delivery_at = now()`;
    }
  });

  it('fails when the provider never reports the delivery', async () => {
    provider.change = async () => Response.json({ id: 'taken' });
    const sent = { patience: 0, recorded: 'sent' };
    expect(await expectFinding('delivery', 'has not reported it', {}, sent)).toEqual(['delivery']);
  });
});

describe('a probe that is stopped', () => {
  it('removes everything that it created', async () => {
    provider.change = async () => Response.json({ id: 'taken' });
    const { child, ended } = start();
    const isJoined = async () => (await sql`select from waitlist_emails`).length > 0;
    expect(await waitUntil(isJoined, 30_000)).toBe(true);
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    expect(stdout).toContain('the probe left nothing behind');
    expect(status).toBe(130);
  });

  it('begins no other check, and creates nothing', async () => {
    const stop = new AbortController();
    const names: string[] = [];
    for await (const { name } of probe(readTarget(describeStack()), { stop: stop.signal })) {
      names.push(name);
      if (name === 'limits') stop.abort();
    }
    expect(names).toEqual(['pages', 'host', 'headers', 'database', 'limits', 'clean-up']);
  });

  it('does not wait any longer for a report that is missing', async () => {
    provider.change = async () => Response.json({ id: 'taken' });
    const stop = new AbortController();
    const names: string[] = [];
    for await (const { name } of probe(readTarget(describeStack()), {
      stop: stop.signal,
      patience: Infinity,
    })) {
      names.push(name);
      // The next check has begun by then.
      if (name === 'welcome') setImmediate(() => stop.abort());
    }
    expect(names.slice(-3)).toEqual(['welcome', 'delivery', 'clean-up']);
  });

  it('removes everything that an unfinished call created', async () => {
    const api = new Mirror(stack.url('API_PORT'));
    await api.listen();
    site.change = changePages((html) => html.replaceAll(stack.url('API_PORT', ''), api.url));
    const { child, ended, read } = start({ PUBLIC_SITE_URL: site.url });
    api.change = async (_, answer) => {
      child.kill('SIGINT');
      // Longer than a clean-up that does not wait for the answer.
      await waitUntil(() => read().includes('clean-up'), 1_000);
      return answer();
    };
    const { status, stdout } = await ended;
    api.close();
    expect(stdout).toContain('the probe left nothing behind');
    expect(status).toBe(130);
  });

  it('removes everything when nobody reads its output anymore, and does not exit with 0', async () => {
    const { child, ended } = start();
    const isClosed = once(child.stdout, 'data').then(() => child.stdout.destroy());
    // Otherwise the probe could have printed everything by then.
    provider.change = async (_, answer) => (await isClosed, answer());
    expect(await ended).toMatchObject({ status: 1, stderr: '' });
  });
});

describe('a probe with wrong values', () => {
  it.each<[environment: Record<string, string>, says: string]>([
    [{ PUBLIC_SITE_URL: 'waitlist' }, 'PUBLIC_SITE_URL is malformed: set it to the URL of the site'],
    [{ SUPABASE_SECRET_KEY: '' }, 'SUPABASE_SECRET_KEY is missing: set it to'],
  ])('such as %j checks nothing and exits with 2', async (environment, says) => {
    const { status, stdout, stderr } = await start(environment).ended;
    expect(stderr).toContain(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});

describe('a probe of a function', () => {
  it.each([
    ['', 'cannot see who is calling'],
    ['X-Nothing', 'do not have x-nothing'],
  ])('with the caller header %j says which one a deployment would set', async (header, found) => {
    await stack.change('resend-email', { CALLER_HEADER: header });
    const finding = (await look()).find(({ name }) => name === 'callers');
    expect(finding).toMatchObject({ status: 'failed', found: expect.stringContaining(found) });
    expect(finding?.todo).toContain('sets CALLER_HEADER to x-caller-address');
  });
});
