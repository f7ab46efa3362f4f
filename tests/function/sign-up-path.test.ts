import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { functionNames } from '../../local/parts.ts';
import { waitUntil } from '../../local/process.ts';
import { placeholders, signUp } from '../../src/site.ts';
import { Parts } from '../local/parts.ts';
import { badRecipient, type Behavior, Provider } from './provider.ts';

/** The functions under Deno, the real data API and database, and a provider that can fail. */
const stack = new Parts();
const provider = new Provider();
const key = 'sb_publishable_local_stack_of_dropyard';
let sql: postgres.Sql;

beforeAll(async () => {
  await provider.listen();
  await stack.choosePorts();
  stack.environment = { ...stack.environment, RESEND_BASE_URL: provider.url, CALLER_HEADER: 'x-test-caller' };
  await stack.start();
  sql = postgres(stack.databaseUrl, { onnotice: () => {} });
  await sql`
    create function hurry() returns trigger language plpgsql as
    'begin new.next_try_at := least(new.next_try_at, now()); return new; end'`;
  await sql`update private.limits set value = 100, highest = 100 where name = 'deliveries'`;
});

beforeEach(async () => {
  await stack.hasConnection();
  provider.plan = [];
  provider.otherwise = 'take';
  await sql`delete from waitlist_emails`;
  await sql`delete from private.outbox`;
  await sql`delete from private.calls`;
  await sql`update private.pace set next_delivery_at = now(), refused_alike = '{}'`;
});

afterAll(async () => {
  await sql?.end();
  await stack.stop();
  await provider.close();
  stack.remove();
});

let count = 0;
const makeEmail = (name = 'name') => `${name}-${++count}@example.org`;

function callFunction(to: unknown, headers: Record<string, string> = {}, more: object = {}) {
  return fetch(stack.url('API_PORT', '/functions/v1/resend-email'), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      apikey: key,
      'x-test-caller': `2001:db8:${(++count).toString(16)}::1`,
      ...headers,
    },
    body: JSON.stringify({ from: 'x@evil.example', to, subject: 'evil', html: '<b>evil</b>', ...more }),
  });
}

const members = async (email: string) =>
  (await sql`select from waitlist_emails where email = ${email}`).length;
const isDelivered = (email: string) => waitUntil(() => provider.to(email).length > 0, 30_000);
const hasState = async (email: string, state: string) =>
  (
    await sql`
      select from private.outbox join private.members on members.id = member
      where members.email = ${email} and state = ${state}`
  ).length > 0;
const isRecorded = (email: string, state: string) => waitUntil(() => hasState(email, state), 30_000);

/** Makes every waiting welcome due now, and delivers without waiting for the clock. */
const hurry = async () => {
  await sql`update private.outbox set next_try_at = now() where state = 'waiting'`;
  await sql`update private.pace set next_delivery_at = now()`;
  const deliver = stack.url('API_PORT', '/functions/v1/resend-email/deliver');
  await fetch(deliver, { method: 'POST', headers: { apikey: key } });
};

describe('a call of the email function', () => {
  it('puts the address on the list and sends one welcome, which contains nothing from the call', async () => {
    const email = makeEmail("o'neil&co");
    expect((await callFunction(` ${email.toUpperCase()} `)).status).toBe(200);
    expect(await members(email)).toBe(1);
    expect(await isDelivered(email)).toBe(true);
    const [message] = provider.to(email);
    expect(JSON.stringify(message)).not.toContain('evil');
    const from = placeholders.PUBLIC_EMAIL_SENDER;
    expect(message).toMatchObject({ from, subject: signUp.subject, to: [email] });
    expect(message?.html).toContain(email.replace("o'neil&co", 'o&#x27;neil&amp;co'));
    expect(message?.text).toContain(email);
    expect(message?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const [page = '', mail = ''] = message?.headers['List-Unsubscribe']?.split(', ') ?? [];
    const token = /token=([\w-]+)/.exec(page)?.[1];
    expect(mail).toBe(`<mailto:${placeholders.PUBLIC_UNSUBSCRIBE_ADDRESS}?subject=Unsubscribe%20${token}>`);
    expect(page).toMatch(/^<http:\/\/127\.0\.0\.1:\d+\/functions\/v1\/leave\?token=[^>]+>$/);
    expect(await isRecorded(email, 'sent')).toBe(true);
  });

  it('gets the same answer for a new and a known address', async () => {
    const email = makeEmail();
    const answers = [];
    for (const typed of [email, email.toUpperCase(), makeEmail()]) {
      const response = await callFunction(typed, {
        Origin: `http://localhost:${stack.environment['SITE_PORT']}`,
      });
      const { date: _, ...headers } = Object.fromEntries(response.headers);
      answers.push([response.status, headers, await response.text()]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('sends one welcome even when it comes 50 times at once', async () => {
    const email = makeEmail();
    const responses = await Promise.all(Array.from({ length: 50 }, () => callFunction(email)));
    // From fifty callers, because the calls of one caller do not limit another.
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await isRecorded(email, 'sent')).toBe(true);
    expect(provider.to(email)).toHaveLength(1);
    expect(await members(email)).toBe(1);
  });

  it('leaves only keyed hashes and no address in the tables for the limits', async () => {
    await callFunction(makeEmail());
    const [call] = await sql`select caller_hash, network_hash from private.calls`;
    const [member] = await sql`select mailbox_hash, token_hash from private.members`;
    for (const stored of [...Object.values(call!), ...Object.values(member!)])
      expect(stored).toMatch(/^[\w-]{43}$/);
  });

  it('counts for its caller and, with IPv6, for the /48 of its caller', async () => {
    for (const caller of ['2001:db8:1:1::1', '2001:db8:1:2::1', '203.0.113.9'])
      await callFunction(makeEmail(), { 'x-test-caller': caller });
    const [one, two, three] = await sql`select caller_hash, network_hash from private.calls order by at`;
    expect(two!['caller_hash']).not.toBe(one!['caller_hash']);
    expect(two!['network_hash']).toBe(one!['network_hash']);
    expect(three!['network_hash']).toBeNull();
  });

  it('is accepted for any number of spellings of one mailbox, which gets three welcomes', async () => {
    const name = `name${++count}`;
    const spellings = Array.from({ length: 8 }, (_, index) => `${name}+${index}@example.org`);
    for (const email of spellings) expect((await callFunction(email)).status).toBe(200);
    const isDone = async () => (await sql`select from private.outbox where state = 'waiting'`).length === 0;
    expect(await waitUntil(isDone, 30_000)).toBe(true);
    expect(spellings.filter((email) => provider.to(email).length > 0)).toHaveLength(3);
  });

  it('is refused over a limit, and told how long to wait, while others are accepted', async () => {
    const [before] = await sql`select value from private.limits where name = 'caller_calls'`;
    await sql`update private.limits set value = 3 where name = 'caller_calls'`;
    onTestFinished(
      async () =>
        void (await sql`update private.limits set value = ${before!['value']} where name = 'caller_calls'`),
    );
    const caller = { 'x-test-caller': '203.0.113.9' };
    const known = makeEmail();
    for (const email of [known, known, makeEmail()])
      expect((await callFunction(email, caller)).status).toBe(200);
    for (const email of [known, makeEmail()]) {
      const refused = await callFunction(email, caller);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
      expect(await refused.json()).toMatchObject({ error: { code: 'too_many_requests' } });
    }
    expect((await callFunction(makeEmail(), { 'x-test-caller': '203.0.113.10' })).status).toBe(200);
  });
});

describe('failures of the provider', () => {
  it.each<[string, Behavior[]]>([
    ['is down for two calls', [{ status: 500 }, { status: 503 }]],
    ['disconnects before it reads the message', ['reset', 'reset']],
    ['accepts the message but disconnects before it answers', ['lost', 'lost', 'lost', 'lost']],
    [
      'accepts the message but disconnects before it answers, and then is down',
      ['lost', { status: 500 }, 'lost'],
    ],
    ['limits the rate', [{ status: 429, name: 'rate_limit_exceeded', headers: { 'Retry-After': '1' } }]],
    ['has no quota left', [{ status: 429, name: 'daily_quota_exceeded' }]],
    ['does not know the key', [{ status: 401, name: 'missing_api_key' }]],
    ['redirects', [{ status: 302, headers: { Location: '/elsewhere' } }, { status: 308 }]],
    ['cannot be found', [{ status: 404, name: 'not_found' }]],
    ['answers 200 without an id for the message', [{ status: 200 }]],
  ])(
    'a provider that %s only delays the welcome, which is sent once, and the visitor notices nothing',
    async (_, plan) => {
      // Makes every retry due at once, because a delivery that is already waiting for one would sleep.
      await sql`create trigger hurry before update on private.outbox for each row execute function hurry()`;
      onTestFinished(async () => void (await sql`drop trigger hurry on private.outbox`));
      const email = makeEmail();
      provider.plan = plan;
      const before = provider.calls;
      expect((await callFunction(email)).status).toBe(200);
      expect(await members(email)).toBe(1);
      const isSent = async () => {
        await hurry();
        return hasState(email, 'sent');
      };
      expect(await waitUntil(isSent, 60_000)).toBe(true);
      expect(provider.to(email)).toHaveLength(1);
      expect(provider.calls - before).toBeGreaterThan(plan.length);
    },
  );

  it('a provider that blocks one message does not hold up the others', async () => {
    const blocked = makeEmail();
    provider.plan = [{ status: 403, name: 'validation_error' }];
    await callFunction(blocked);
    const problem = 'Resend answered 403 (validation_error)';
    const isBlocked = async () =>
      (await sql`select from private.outbox where state = 'waiting' and last_problem = ${problem}`).length >
      0;
    expect(await waitUntil(isBlocked, 30_000)).toBe(true);
    const other = makeEmail();
    await callFunction(other);
    expect(await isRecorded(other, 'sent')).toBe(true);
    expect(provider.to(blocked)).toHaveLength(0);
    await hurry();
    expect(await isDelivered(blocked)).toBe(true);
  });

  it('a provider that refuses a message permanently does not get it again, and the owner sees it', async () => {
    const email = makeEmail();
    provider.plan = [badRecipient];
    await callFunction(email);
    expect(await isRecorded(email, 'refused')).toBe(true);
    await hurry();
    const other = makeEmail();
    await callFunction(other);
    expect(await isRecorded(other, 'sent')).toBe(true);
    expect(provider.to(email)).toHaveLength(0);
    expect(await sql`select email, state, problem from list_outbox()`).toEqual([
      { email, state: 'refused', problem: 'Resend answered 422 (validation_error)' },
    ]);
    expect(await sql`select retry_outbox(${email}) as retried`).toEqual([{ retried: 1 }]);
    await hurry();
    expect(await isRecorded(email, 'sent')).toBe(true);
    expect(provider.to(email)).toHaveLength(1);
  });
});

describe('the public insert', () => {
  it('adds nobody whom the function did not accept, and always gets the same answer', async () => {
    const accepted = makeEmail();
    await callFunction(accepted);
    const answers = [];
    for (const email of [accepted, makeEmail('stranger'), accepted]) {
      const response = await fetch(stack.url('API_PORT', '/rest/v1/waitlist_emails'), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', apikey: key, Prefer: 'return=minimal,count=exact' },
        body: JSON.stringify([{ email, created_at: new Date().toISOString(), source: 'landing_page' }]),
      });
      const { date: _, ...headers } = Object.fromEntries(response.headers);
      answers.push([response.status, headers, await response.text()]);
    }
    expect(answers[0]?.[0]).toBe(201);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await sql`select from waitlist_emails where email like 'stranger%'`).toHaveLength(0);
  });

  it.each([
    ['a declared length', { 'Content-Length': 2_000_000 }],
    ['no declared length', {}],
  ])('is refused before it has arrived completely if it has thousands of rows and %s', async (_, length) => {
    const insert = request(stack.url('API_PORT', '/rest/v1/waitlist_emails'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', apikey: key, ...length },
    });
    insert.write('['.padEnd(8192));
    const [response] = (await once(insert, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    expect(response.headers.connection).toBe('close');
    insert.once('error', () => {}).destroy();
  });

  it('is the only thing that the public key can do with the data API', async () => {
    const headers = { 'Content-Type': 'application/json', apikey: key };
    const call = async (path: string, init: RequestInit) => {
      const response = await fetch(stack.url('API_PORT', `/rest/v1/${path}`), { headers, ...init });
      const [code = ''] = /42501/.exec(await response.text()) ?? [];
      return `${init.method} ${path}: ${response.ok ? 'done' : 'refused'} ${code}`;
    };
    for (const init of [
      { method: 'GET' },
      { method: 'PATCH', body: '{"email":"x"}' },
      { method: 'DELETE' },
    ]) {
      const path = 'waitlist_emails?email=like.*';
      expect(await call(path, init)).toBe(`${init.method} ${path}: refused 42501`);
    }
    // With the correct parameter names, so that the database itself refuses: a function that is not found would prove
    // nothing.
    const procedures = await sql`select proname as name, coalesce(proargnames[:pronargs], '{}') as names
      from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`;
    expect(procedures.length).toBeGreaterThan(10);
    for (const { name, names } of procedures) {
      const body = JSON.stringify(
        Object.fromEntries((names as string[]).map((parameter) => [parameter, null])),
      );
      expect(await call(`rpc/${name}`, { method: 'POST', body })).toBe(`POST rpc/${name}: refused 42501`);
    }
    // The data API does not know the schema `private` at all.
    const tables =
      await sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'private'::regnamespace`;
    expect(tables.length).toBeGreaterThan(3);
    for (const { name } of tables) expect(await call(String(name), { method: 'GET' })).toContain(': refused');
  });
});

describe('unsubscribing', () => {
  async function readLeaveUrl(email: string): Promise<string> {
    await callFunction(email);
    expect(await isDelivered(email)).toBe(true);
    expect(await isRecorded(email, 'sent')).toBe(true);
    return /<(http[^>]+)>/.exec(provider.to(email).at(-1)!.headers['List-Unsubscribe']!)![1]!;
  }

  it('takes one click, ignores a GET and a cut link, and sends a returning member a new welcome', async () => {
    const email = makeEmail();
    const url = await readLeaveUrl(email);
    expect(new URL(url).search).toMatch(/^\?token=[\w-]{43}$/);
    const scanned = await fetch(url, { redirect: 'manual' });
    expect(scanned.status).toBe(303);
    expect(scanned.headers.get('location')).toContain('/leave#');
    expect((await fetch(url.slice(0, -1), { method: 'POST' })).status).toBe(400);
    expect(await members(email)).toBe(1);
    const clicked = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(clicked.status).toBe(200);
    expect(await members(email)).toBe(0);
    expect(await sql`select from private.outbox`).toHaveLength(0);
    // A mail program may repeat the call.
    await sql`delete from private.used_tokens`;
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    await callFunction(email);
    expect(await members(email)).toBe(1);
    expect(await waitUntil(() => provider.to(email).length === 2, 30_000)).toBe(true);
  });

  it('can be done by the owner, too', async () => {
    const email = makeEmail();
    await callFunction(email);
    await stack.waitlist('remove', email.toUpperCase(), '--yes');
    expect(await members(email)).toBe(0);
  });
});

describe('crashes', () => {
  it('a sign-up gets a clear error after the database crashed, and works when the database is back', async () => {
    const email = makeEmail();
    const response = await stack.withoutDatabase(() => callFunction(email));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'unavailable' } });
    expect((await callFunction(email)).status).toBe(200);
    expect(await waitUntil(async () => (await members(email).catch(() => 0)) === 1, 30_000)).toBe(true);
    expect(await isRecorded(email, 'sent')).toBe(true);
    expect(provider.to(email)).toHaveLength(1);
  });

  it('no accepted member is lost or duplicated when the backend crashes three times during sign-ups', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const victims = ['backend', 'resend-email'].map((name) => stack.pids[name]!);
      const sent = Array.from({ length: 20 }, async () => {
        const email = makeEmail('crash');
        const response = await callFunction(email).catch(() => undefined);
        if (response?.ok) acknowledged.push(email);
      });
      await Promise.race(sent);
      for (const pid of victims) process.kill(pid, 'SIGKILL');
      await Promise.all(sent);
      const isBack = async () => (await callFunction('a@localhost').catch(() => undefined))?.status === 422;
      expect(await waitUntil(isBack, 30_000)).toBe(true);
    }
    expect(acknowledged.length).toBeGreaterThan(0);
    // The lease of a delivery that died ends after a minute.
    await sql`update private.outbox set leased_until = now() where leased_until is not null`;
    const isDone = async () => (await sql`select from private.outbox where state <> 'sent'`).length === 0;
    expect(await waitUntil(isDone, 90_000)).toBe(true);
    for (const email of acknowledged) {
      expect(provider.to(email), email).toHaveLength(1);
      expect(await members(email), email).toBe(1);
    }
  });
});

// The last test, so that it reads what the functions logged during all failures above.
it('no function writes an address to its log', () => {
  for (const name of functionNames) {
    const log = readFileSync(join(stack.dataDir, 'logs', `${name}.log`), 'utf8');
    expect(log).not.toMatch(/@example\.org/i);
  }
  expect(readFileSync(join(stack.dataDir, 'logs', 'resend-email.log'), 'utf8')).toContain(
    ' refused: Resend answered 422',
  );
});
