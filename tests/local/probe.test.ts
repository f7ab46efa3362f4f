import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import type { Finding } from '../../owner/probe/finding.ts';
import { findFreePort } from '../../local/settings.ts';
import { Mirror } from './mirror.ts';
import { Stack } from './stack.ts';

/** The stack as it stands, with a site and a provider in front that can be made to misbehave. */
const stack = new Stack();
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
  expect(await stack.start(), stack.output).toBe('ready');
  sql = postgres(`postgres://postgres:postgres@127.0.0.1:${stack.environment['DB_PORT']}/postgres`, {
    onnotice: () => {},
  });
});

beforeEach(() => {
  site.change = honest;
  provider.change = honest;
});

/** Whatever a probe found, nothing of it is left. */
afterEach(async () => {
  expect(await sql`select email from waitlist_emails`).toEqual([]);
  expect(await sql`select from private.outbox`).toHaveLength(0);
  expect(await sql`select from private.calls where caller_hash is distinct from 'another'`).toHaveLength(0);
});

afterAll(async () => {
  await sql?.end();
  await stack.stop();
  site.close();
  provider.close();
  stack.remove();
});

function start(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['owner/waitlist.ts', 'probe', ...args], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, DATA_DIR: stack.dataDir, ...environment },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([status]) => ({ status: status as number, stdout, stderr }));
  return { child, ended };
}

const run = (...args: string[]) => start(args).ended;

/** Probes and expects one finding among those that failed. */
async function expectFinding(name: string, found: string | RegExp, ...args: string[]) {
  const { status, stdout } = await run('--json', ...args);
  const findings = JSON.parse(stdout) as Finding[];
  const finding = findings.find((candidate) => candidate.name === name);
  expect(finding).toMatchObject({ ok: false, found: expect.stringMatching(found) });
  expect(finding?.todo).toMatch(/\w{4}/);
  expect(status).toBe(1);
  return findings.filter(({ ok }) => !ok).map((failed) => failed.name);
}

describe('a probe of a deployment that is well', () => {
  it('says so in a line for each thing, and ends with 0', async () => {
    const { status, stdout, stderr } = await run();
    expect(stdout.split('\n').filter((line) => !line.startsWith('ok '))).toEqual(['']);
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('says it in JSON too', async () => {
    const { stdout } = await run('--json');
    const names = (JSON.parse(stdout) as Finding[]).map(({ name }) => name);
    expect(names).toEqual([
      ...['pages', 'form', 'placeholders', 'headers', 'policy', 'unknown paths', 'limits', 'cors', 'sign-up'],
      ...['entry', 'public key', 'callers', 'welcome', 'delivery', 'clean-up'],
    ]);
  });

  it('runs as often as one likes, without using up a limit', async () => {
    for (let round = 0; round < 4; round++) expect((await run()).status).toBe(0);
  });
});

/** Answers for every page with something changed. */
const changePages =
  (change: (headers: Headers, html: string) => string | void): Mirror['change'] =>
  async (_, answer) => {
    const { status, headers, ...response } = await answer().then(async (real) => ({
      status: real.status,
      headers: new Headers(real.headers),
      html: await real.text(),
    }));
    return new Response(change(headers, response.html) ?? response.html, { status, headers });
  };

describe('a probe of a site', () => {
  it.each<[what: string, name: string, found: string | RegExp, Mirror['change']]>([
    [
      'that lost a page',
      'pages',
      '/about answers 500',
      async (request, answer) =>
        request.url.endsWith('/about') ? new Response('', { status: 500 }) : answer(),
    ],
    ['without a form', 'form', 'no form', changePages((_, html) => html.replaceAll('name="apikey"', ''))],
    [
      'with a secret key',
      'form',
      'secret key',
      changePages((_, html) => html.replaceAll(/sb_publishable_\w+/g, 'sb_secret_x')),
    ],
    [
      'without a header',
      'headers',
      'no x-content-type-options',
      changePages((headers) => headers.delete('x-content-type-options')),
    ],
    [
      'with a weak header',
      'headers',
      'strict-transport-security: max-age=0',
      changePages((headers) => headers.set('strict-transport-security', 'max-age=0')),
    ],
    [
      'without a policy',
      'policy',
      'no content-security-policy',
      changePages((headers) => headers.delete('content-security-policy')),
    ],
    [
      'with a loose policy',
      'policy',
      "allows 'unsafe-inline' in script-src",
      changePages((headers) => headers.append('content-security-policy', "; script-src 'unsafe-inline'")),
    ],
    [
      'whose policy is of another deployment',
      'policy',
      /does not let the form call http:\S+ \(connect-src\)/,
      changePages((headers) =>
        headers.set(
          'content-security-policy',
          headers
            .get('content-security-policy')!
            .replaceAll(stack.url('API_PORT', ''), 'https://abc.supabase.co'),
        ),
      ),
    ],
    [
      'that has a page for everything',
      'unknown paths',
      '/no-such-page answers 200',
      async (_, answer) => {
        const { body, headers } = await answer();
        return new Response(body, { headers });
      },
    ],
    ['that the function does not know', 'cors', 'does not let http', honest],
    [
      'whose form leads nowhere',
      'sign-up',
      'ECONNREFUSED',
      changePages((_, html) => html.replaceAll(stack.url('API_PORT', ''), nowhere)),
    ],
    [
      'whose key is of another project',
      'sign-up',
      '401',
      changePages((_, html) => html.replaceAll(/sb_publishable_\w+/g, 'sb_publishable_other')),
    ],
  ])('%s names it', async (_, name, found, change) => {
    site.change = change;
    await expectFinding(name, found, '--site', site.url);
  });

  it('that is not there says so, and signs nobody up', async () => {
    expect(await expectFinding('pages', 'ECONNREFUSED', '--site', nowhere)).toEqual(['pages']);
  });
});

describe('a probe of a database', () => {
  it.each<[what: string, name: string, found: string, broken: string, mended: string]>([
    [
      'that anybody may read',
      'public key',
      'it may read the list',
      `grant select on waitlist_emails to anon; create policy loose on waitlist_emails for select to anon using (true)`,
      `drop policy loose on waitlist_emails; revoke select on waitlist_emails from anon`,
    ],
    [
      'in which anybody may delete',
      'public key',
      'it may delete an entry',
      `grant select, delete on waitlist_emails to anon; create policy loose on waitlist_emails for all to anon using (true)`,
      `drop policy loose on waitlist_emails; revoke select, delete on waitlist_emails from anon`,
    ],
    [
      'in which anybody may send',
      'public key',
      'it may lease a welcome',
      `grant execute on function lease_welcome() to anon`,
      `revoke execute on function lease_welcome() from anon`,
    ],
    [
      'without a limit',
      'limits',
      'mailbox_calls is missing',
      `update private.limits set name = 'other' where name = 'mailbox_calls'`,
      `update private.limits set name = 'mailbox_calls' where name = 'other'`,
    ],
    [
      'with a limit that limits nothing',
      'limits',
      'caller_addresses is 1000000',
      `update private.limits set value = 1000000 where name = 'caller_addresses'`,
      `update private.limits set value = 60 where name = 'caller_addresses'`,
    ],
    [
      'whose limit is reached',
      'sign-up',
      'over a limit, free again in',
      `update private.limits set value = 1 where name = 'addresses';
       insert into private.accepted_calls values (date_trunc('hour', now(), 'UTC'), -1, 1)`,
      `update private.limits set value = 3000 where name = 'addresses'; delete from private.accepted_calls`,
    ],
    [
      'that refuses what a page inserts',
      'entry',
      'is answered with',
      `revoke insert on waitlist_emails from anon`,
      `grant insert (email, created_at, source) on waitlist_emails to anon`,
    ],
  ])('%s names it', async (_, name, found, broken, mended) => {
    await sql.unsafe(broken);
    try {
      expect(await expectFinding(name, found)).toContain(name);
    } finally {
      await sql.unsafe(mended);
    }
  });

  it('whose key is wrong says so, and signs nobody up', async () => {
    const environment = { SUPABASE_URL: stack.url('API_PORT'), SUPABASE_SECRET_KEY: 'sb_secret_wrong' };
    const { ended } = start(['--site', stack.url('SITE_PORT')], environment);
    const { status, stdout } = await ended;
    expect(stdout).toMatch(/^failed {2}database .*SUPABASE_SECRET_KEY/m);
    expect(stdout).not.toContain('sb_secret_wrong');
    expect(stdout).not.toContain('sign-up');
    expect(status).toBe(1);
  });
});

describe('a probe of the way of a welcome', () => {
  it('names what the provider said', async () => {
    provider.change = async () => Response.json({ name: 'validation_error' }, { status: 422 });
    await expectFinding('welcome', 'refused: Resend answered 422');
  });

  it('names a delivery that nobody told of', async () => {
    provider.change = async () => Response.json({ id: 'taken' });
    expect(await expectFinding('delivery', 'has not told of it', '--wait', '1')).toEqual(['delivery']);
  });

  it('removes what it made when it is stopped', async () => {
    provider.change = async () => Response.json({ id: 'taken' });
    const { child, ended } = start([]);
    expect(await waitUntil(async () => (await sql`select from waitlist_emails`).length > 0, 30_000)).toBe(
      true,
    );
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    expect(stdout).toContain('nothing of the probe is left');
    expect(status).toBe(130);
  });
});

describe('a probe that is stopped while a call is under way', () => {
  it('removes what that call makes too', async () => {
    const api = new Mirror(stack.url('API_PORT'));
    await api.listen();
    site.change = changePages((_, html) => html.replaceAll(stack.url('API_PORT', ''), api.url));
    const { child, ended } = start(['--site', site.url]);
    api.change = async (request, answer) => {
      if (request.headers.has('x-real-ip')) {
        child.kill('SIGINT');
        // Longer than a clean-up would take that does not wait for the answer.
        await waitUntil(async () => (await sql`select from private.outbox`).length === 0, 1_000);
      }
      return answer();
    };
    const { status, stdout } = await ended;
    api.close();
    expect(stdout).toContain('nothing of the probe is left');
    expect(status).toBe(130);
  });
});

describe('a probe that nobody reads any more', () => {
  it('removes what it made, and does not say that all is well', async () => {
    provider.change = async () => Response.json({ id: 'taken' });
    const { child, ended } = start(['--wait', '1']);
    expect(await waitUntil(async () => (await sql`select from waitlist_emails`).length > 0, 30_000)).toBe(
      true,
    );
    child.stdout.destroy();
    expect(await ended).toMatchObject({ status: 1, stderr: '' });
  });
});

describe('a probe that is called wrongly', () => {
  it.each<[args: string[], environment: Record<string, string>, says: string]>([
    [['--wait', 'long'], {}, 'seconds'],
    [['--sit', 'x'], {}, 'unknown option'],
    [['--expect', 'nothing'], {}, 'Allowed choices are callers, delivery'],
    [['--site', 'waitlist'], {}, 'such as https://waitlist.example'],
    [[], { DATA_DIR: '/nowhere' }, 'Nothing to probe'],
    [[], { SUPABASE_URL: 'https://abc.supabase.co' }, 'SUPABASE_SECRET_KEY is missing'],
    [[], { SUPABASE_SECRET_KEY: 'x' }, 'SUPABASE_URL is missing'],
    [[], { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_SECRET_KEY: 'x' }, '--site'],
  ])('(%j, %j) ends with 2', async (args, environment, says) => {
    const { status, stderr } = await start(args, environment).ended;
    expect(stderr).toContain(says);
    expect(status).toBe(2);
  });
});

describe('a probe of a function', () => {
  const tellCallersBy = async (header: string) => {
    await stack.stop();
    stack.environment = { ...stack.environment, CALLER_HEADER: header };
    expect(await stack.start(), stack.output).toBe('ready');
    await stack.hasConnection();
  };

  it('that believes what a caller says names it', async () => {
    await tellCallersBy('X-Real-IP');
    await expectFinding('callers', 'believes what a caller says');
  });

  it('that does not see who calls says so, and fails where that is expected', async () => {
    await tellCallersBy('X-Nothing');
    const { status, stdout } = await run();
    expect(stdout).toMatch(/^ok +callers +not known: callers are not limited$/m);
    expect(status).toBe(0);
    await expectFinding('callers', 'does not see who calls', '--expect', 'callers', 'delivery');
  });
});
