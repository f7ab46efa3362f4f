import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { functionNames } from '../../local/parts.ts';
import { waitUntil } from '../../local/process.ts';
import { readRunFile } from '../../local/run-file.ts';
import { placeholders } from '../../src/site.ts';
import { Stack } from '../local/stack.ts';
import { type Behaviour, Provider } from './provider.ts';

/** The functions under Deno, the data API and the database as they stand, with a provider that can misbehave. */
const stack = new Stack();
const provider = new Provider();
const key = 'sb_publishable_local_stack_of_dropyard';
let sql: postgres.Sql;

beforeAll(async () => {
  await provider.listen();
  await stack.choosePorts();
  stack.environment = { ...stack.environment, RESEND_BASE_URL: provider.url, CALLER_HEADER: 'x-test-caller' };
  expect(await stack.start(), stack.output).toBe('ready');
  sql = postgres(`postgres://postgres:postgres@127.0.0.1:${stack.environment['DB_PORT']}/postgres`, {
    onnotice: () => {},
  });
});

beforeEach(async () => {
  await stack.hasConnection();
  provider.plan = [];
  provider.otherwise = 'take';
  await sql`delete from private.outbox`;
  await sql`delete from private.calls`;
  await sql`delete from private.mailbox_deliveries`;
  await sql`update private.pace set next_delivery_at = now()`;
});

afterAll(async () => {
  await sql?.end();
  await stack.stop();
  await provider.close();
  stack.remove();
});

let count = 0;
const makeAddress = (name = 'name') => `${name}-${++count}@example.org`;

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

const members = async (address: string) =>
  (await sql`select from waitlist_emails where email = ${address}`).length;
const isDelivered = (address: string) => waitUntil(() => provider.to(address).length > 0, 30_000);
const isRecorded = (address: string, state: string) =>
  waitUntil(
    async () =>
      (await sql`select from private.outbox where email = ${address} and state = ${state}`).length > 0,
    30_000,
  );

/** Takes the waiting out of the database's plans, so that nobody has to sit through them. */
const hurry = async () => {
  await sql`update private.outbox set next_try_at = now() where state = 'waiting'`;
  await sql`update private.pace set next_delivery_at = now()`;
};

describe('one call, and nothing after it', () => {
  it('puts the address on the list and gets it one welcome, with nothing of the call in it', async () => {
    const address = makeAddress();
    expect((await callFunction(` ${address.toUpperCase()} `)).status).toBe(200);
    expect(await members(address)).toBe(1);
    expect(await isDelivered(address)).toBe(true);
    const [message] = provider.to(address);
    expect(JSON.stringify(message)).not.toContain('evil');
    expect(message).toMatchObject({ subject: 'Welcome to the Waitlist', to: [address] });
    expect(message?.html).toContain(address);
    expect(message?.text).toContain(address);
    expect(message?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const [mail = '', page = ''] = message?.headers['List-Unsubscribe']?.split(', ') ?? [];
    expect(mail).toContain(`<mailto:${placeholders.PUBLIC_UNSUBSCRIBE_ADDRESS}?`);
    expect(page).toMatch(/^<http:\/\/127\.0\.0\.1:\d+\/functions\/v1\/leave\?token=[^>]+>$/);
    expect(await isRecorded(address, 'sent')).toBe(true);
  });

  it('is answered alike for a new and a known address', async () => {
    const address = makeAddress();
    const answers = [];
    for (const typed of [address, address.toUpperCase(), makeAddress()]) {
      const response = await callFunction(typed, {
        Origin: `http://localhost:${stack.environment['SITE_PORT']}`,
      });
      const { date: _, ...headers } = Object.fromEntries(response.headers);
      answers.push([response.status, headers, await response.text()]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('gets one welcome when 50 come at once', async () => {
    const address = makeAddress();
    const responses = await Promise.all(Array.from({ length: 50 }, () => callFunction(address)));
    // From fifty callers: what others did with an address limits nobody.
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await isRecorded(address, 'sent')).toBe(true);
    expect(provider.to(address)).toHaveLength(1);
    expect(await members(address)).toBe(1);
  });

  it('leaves nothing in the limits but keyed hashes', async () => {
    await callFunction(makeAddress());
    const [call] = await sql`select caller_hash, network_hash, email_hash, mailbox_hash from private.calls`;
    expect(Object.values(call!)).toHaveLength(4);
    for (const hash of Object.values(call!)) expect(hash).toMatch(/^[\w-]{43}$/);
  });

  it('is refused over a limit with the time to wait, whoever else goes on', async () => {
    const caller = { 'x-test-caller': '203.0.113.9' };
    for (let index = 0; index < 60; index++)
      expect((await callFunction(makeAddress(), caller)).status).toBe(200);
    const refused = await callFunction(makeAddress(), caller);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(await refused.json()).toMatchObject({ error: { code: 'too_many_requests' } });
    expect((await callFunction(makeAddress(), { 'x-test-caller': '203.0.113.10' })).status).toBe(200);
    await sql`delete from private.outbox`;
  });
});

describe('a provider that misbehaves', () => {
  it.each<[string, Behaviour[]]>([
    ['is down for two calls', [{ status: 500 }, { status: 503 }]],
    ['breaks off before it looked', ['reset', 'reset']],
    ['took the message, and its answer was lost', ['lost', 'lost', 'lost', 'lost']],
    ['took the message, lost the answer, and was down then', ['lost', { status: 500 }, 'lost']],
    ['limits the rate', [{ status: 429, name: 'rate_limit_exceeded', headers: { 'Retry-After': '1' } }]],
    ['has its quota spent', [{ status: 429, name: 'daily_quota_exceeded' }]],
    ['does not know the key', [{ status: 401, name: 'missing_api_key' }]],
    ['leads somewhere else', [{ status: 302, headers: { Location: '/elsewhere' } }, { status: 308 }]],
    ['is not there', [{ status: 404, name: 'not_found' }]],
    ['says yes without taking the message', [{ status: 200 }]],
  ])('that %s: the visitor notices nothing, and the welcome goes out once', async (_, plan) => {
    const address = makeAddress();
    provider.plan = plan;
    const before = provider.calls;
    expect((await callFunction(address)).status).toBe(200);
    expect(await members(address)).toBe(1);
    const isSent = async () => {
      await hurry();
      return (await sql`select from private.outbox where email = ${address} and state = 'sent'`).length > 0;
    };
    expect(await waitUntil(isSent, 60_000)).toBe(true);
    expect(provider.to(address)).toHaveLength(1);
    expect(provider.calls - before).toBeGreaterThan(plan.length);
  });

  it('that blocks one message takes the others meanwhile', async () => {
    const blocked = makeAddress();
    provider.plan = [{ status: 403, name: 'validation_error' }];
    await callFunction(blocked);
    const problem = 'Resend answered 403 (validation_error)';
    const isBlocked = async () =>
      (await sql`select from private.outbox where state = 'waiting' and last_problem = ${problem}`).length >
      0;
    expect(await waitUntil(isBlocked, 30_000)).toBe(true);
    const other = makeAddress();
    await callFunction(other);
    expect(await isRecorded(other, 'sent')).toBe(true);
    expect(provider.to(blocked)).toHaveLength(0);
    await hurry();
    expect(await isDelivered(blocked)).toBe(true);
  });

  it('that refuses the message for good is not asked again, and the owner sees it', async () => {
    const address = makeAddress();
    provider.plan = [{ status: 422, name: 'validation_error' }];
    await callFunction(address);
    expect(await isRecorded(address, 'refused')).toBe(true);
    await hurry();
    const other = makeAddress();
    await callFunction(other);
    expect(await isRecorded(other, 'sent')).toBe(true);
    expect(provider.to(address)).toHaveLength(0);
    const { stdout } = await stack.waitlist('outbox', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { address, state: 'refused', problem: 'Resend answered 422 (validation_error)' },
    ]);
    expect((await stack.waitlist('retry', address)).stdout).toContain('1 welcome goes out again');
    expect(await isRecorded(address, 'sent')).toBe(true);
    expect(provider.to(address)).toHaveLength(1);
  });
});

describe('the public insert', () => {
  it('adds nobody whom the function did not accept, and is answered alike for all', async () => {
    const accepted = makeAddress();
    await callFunction(accepted);
    const answers = [];
    for (const email of [accepted, makeAddress('stranger'), accepted]) {
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

  it('is all that the public key can do with the data API', async () => {
    const paths = ['outbox', 'calls', 'limits', 'pace', 'schema_migrations', 'waitlist_emails?select=email'];
    const procedures = [
      'accept_sign_up',
      'lease_welcome',
      'record_delivery',
      'leave_waitlist',
      'list_members',
      'count_members',
      'count_members_by_day',
      'remove_member',
      'list_outbox',
      'count_unknown',
      'retry_outbox',
      'list_limits',
      'set_limit',
      'record_delivery_event',
      'list_returned',
      'inspect_sign_up',
      'forget_probe',
      'limit_of',
      'is_email_address',
    ];
    const headers = { 'Content-Type': 'application/json', apikey: key };
    for (const path of paths) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? '{"email":"x"}' : null;
        const response = await fetch(stack.url('API_PORT', `/rest/v1/${path}`), { method, headers, body });
        expect(response.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      }
    }
    for (const procedure of procedures) {
      const url = stack.url('API_PORT', `/rest/v1/rpc/${procedure}`);
      const response = await fetch(url, { method: 'POST', headers, body: '{"address":"a@example.org"}' });
      expect(response.status, procedure).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('leaving', () => {
  async function readLeaveUrl(address: string): Promise<string> {
    await callFunction(address);
    expect(await isDelivered(address)).toBe(true);
    expect(await isRecorded(address, 'sent')).toBe(true);
    return /<(http[^>]+)>/.exec(provider.to(address).at(-1)!.headers['List-Unsubscribe']!)![1]!;
  }

  it('takes one click, a GET changes nothing, and who comes back is welcomed again', async () => {
    const address = makeAddress();
    const url = await readLeaveUrl(address);
    expect(new URL(url).search).toMatch(/^\?token=[\w-]{43}$/);
    const scanned = await fetch(url, { redirect: 'manual' });
    expect(scanned.status).toBe(303);
    expect(scanned.headers.get('location')).toContain('/leave#');
    expect(await members(address)).toBe(1);
    const clicked = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(clicked.status).toBe(200);
    expect(await members(address)).toBe(0);
    expect(await sql`select from private.outbox where email = ${address}`).toHaveLength(0);
    await callFunction(address);
    expect(await members(address)).toBe(1);
    expect(await waitUntil(() => provider.to(address).length === 2, 30_000)).toBe(true);
  });

  it('works for the owner too', async () => {
    const address = makeAddress();
    await callFunction(address);
    await stack.waitlist('remove', address.toUpperCase(), '--yes');
    expect(await members(address)).toBe(0);
  });
});

describe('a crash', () => {
  it('of the database is a clear answer, and the same sign-up works when it is back', async () => {
    const address = makeAddress();
    process.kill(readRunFile(stack.dataDir)!.parts['database']!.pid, 'SIGKILL');
    const response = await callFunction(address);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'unavailable' } });
    await stack.hasConnection();
    expect((await callFunction(address)).status).toBe(200);
    expect(await waitUntil(async () => (await members(address).catch(() => 0)) === 1, 30_000)).toBe(true);
    expect(await isRecorded(address, 'sent')).toBe(true);
    expect(provider.to(address)).toHaveLength(1);
  });

  it('of the backend, five times under concurrent sign-ups, loses nobody who was accepted and doubles nobody', async () => {
    await sql`update private.limits set value = 100 where name = 'deliveries'`;
    const acknowledged: string[] = [];
    for (let round = 0; round < 5; round++) {
      const victims = ['backend', 'resend-email'].map((name) => readRunFile(stack.dataDir)!.parts[name]!.pid);
      const sent = Array.from({ length: 20 }, async () => {
        const address = makeAddress('crash');
        const response = await callFunction(address).catch(() => undefined);
        if (response?.ok) acknowledged.push(address);
      });
      await Promise.race(sent);
      for (const pid of victims) process.kill(pid, 'SIGKILL');
      await Promise.all(sent);
      const isBack = async () => (await callFunction('a@localhost').catch(() => undefined))?.status === 422;
      expect(await waitUntil(isBack, 30_000)).toBe(true);
    }
    expect(acknowledged.length).toBeGreaterThan(0);
    // What was leased when its delivery died is free again after a minute.
    await sql`update private.outbox set leased_until = now() where leased_until is not null`;
    const isDone = async () =>
      (await sql`select from private.outbox where email like 'crash%' and state <> 'sent'`).length === 0;
    expect(await waitUntil(isDone, 90_000)).toBe(true);
    for (const address of acknowledged) {
      expect(provider.to(address), address).toHaveLength(1);
      expect(await members(address), address).toBe(1);
    }
    await sql`update private.limits set value = 2 where name = 'deliveries'`;
  });
});

// The last of all, with whatever the functions wrote while everything above went wrong.
it('no function writes an address to its log', () => {
  for (const name of functionNames) {
    const log = readFileSync(join(stack.dataDir, 'logs', `${name}.log`), 'utf8');
    expect(log).not.toMatch(/@example\.org/i);
  }
  expect(readFileSync(join(stack.dataDir, 'logs', 'resend-email.log'), 'utf8')).toContain(
    ' refused: Resend answered 422',
  );
});
