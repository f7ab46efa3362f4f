import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { readRunFile } from '../../local/run-file.ts';
import { signUp as welcome } from '../../src/site.ts';
import { Parts } from '../local/parts.ts';
import { badRecipient, type Behavior, Provider } from './provider.ts';

/** The functions under Deno, the real data API and database, and a provider that can fail. */
const stack = new Parts();
const provider = new Provider();
const template = JSON.stringify({
  subject: 'We are live',
  html: '<p>Hello {{address}}</p><a href="{{leaveUrl}}">Unsubscribe</a>',
  text: 'Hello {{address}}\nUnsubscribe: {{leaveUrl}}',
});
const publicKey = 'sb_publishable_local_stack_of_dropyard';
let sql: postgres.Sql;

beforeAll(async () => {
  await provider.listen();
  await stack.choosePorts();
  stack.environment = { ...stack.environment, RESEND_BASE_URL: provider.url, CALLER_HEADER: 'x-test-caller' };
  await stack.start();
  sql = postgres(stack.databaseUrl, { onnotice: () => {} });
  await sql`update private.limits set highest = 100 where name = 'deliveries'`;
});

beforeEach(async () => {
  await stack.hasConnection();
  provider.plan = [];
  provider.otherwise = 'take';
  provider.delivered.length = 0;
  await sql.begin(async (transaction) => {
    // First, to wait for a lease that has begun. It locks the same tables in another order.
    await transaction`select from private.pace for update`;
    await transaction`truncate waitlist_emails, private.members, private.outbox, private.announcements, private.delivery_events, private.calls`;
  });
  await setPace(100);
  await hurry();
});

afterAll(async () => {
  await sql?.end({ timeout: 5 });
  await stack.stop();
  await provider.close();
  stack.remove();
});

let count = 0;
const makeEmail = (name: string) => `${name}-${++count}@example.org`;
const range = <Value>(length: number, make: (index: number) => Value) =>
  Array.from({ length }, (_, index) => make(index));

/** Calls a procedure as the owner's command line does. */
async function call(procedure: string, parameters: object = {}): Promise<unknown> {
  const response = await fetch(stack.url('API_PORT', `/rest/v1/rpc/${procedure}`), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: readRunFile(stack.dataDir)!.settings.secretKey },
    body: JSON.stringify(parameters),
  });
  expect(response.ok, procedure).toBe(true);
  return response.json();
}

const announce = () => call('queue_announcement', { name: 'launch', message: template });
const stop = (isStopped: boolean) => call('stop_announcement', { name: 'launch', is_stopped: isStopped });

/** Adds members whose welcome was sent long ago. */
async function addMembers(emails: string[]): Promise<void> {
  await sql`insert into waitlist_emails (email, source) select unnest(${emails}::text[]), 'landing_page'`;
  await sql`
    insert into private.members (id, email, token_hash, mailbox_hash)
    select gen_random_uuid(), email, 'token of ' || email, 'hash of ' || email from unnest(${emails}::text[]) as email`;
  await sql`
    insert into private.outbox (member, mailbox_hash, template, state)
    select id, mailbox_hash, private.store_template(${template}), 'sent'
    from private.members where email = any (${emails})`;
}

/** Sets how many messages are sent a second. */
const setPace = (value: number) => sql`update private.limits set value = ${value} where name = 'deliveries'`;

async function signUp(email: string): Promise<void> {
  const sent = async () => {
    const response = await fetch(stack.url('API_PORT', '/functions/v1/resend-email'), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        apikey: publicKey,
        'x-test-caller': `2001:db8:${(++count).toString(16)}::1`,
      },
      body: JSON.stringify({ to: email }),
    });
    return response.ok;
  };
  // A visitor whose call reaches a killed function tries again.
  expect(await waitUntil(() => sent().catch(() => false), 30_000)).toBe(true);
}

/** The subjects of the messages that reached an address, in order. */
const inbox = (email: string) => provider.to(email).map(({ subject }) => subject);
const isNobodyWaiting = async () =>
  (await sql`select from private.outbox where state = 'waiting'`).length === 0;
/** Locks the pace first, to wait for a lease that has begun. */
const isNothingLeased = () =>
  sql.begin(async (transaction) => {
    await transaction`select from private.pace for update`;
    return (await transaction`select from private.outbox where leased_until > now()`).length === 0;
  });

/** Makes all messages due now, and starts a delivery. */
async function hurry(): Promise<void> {
  await sql`update private.outbox set next_try_at = least(next_try_at, now()) where state = 'waiting'`;
  await sql`update private.pace set next_delivery_at = least(next_delivery_at, now()), refused_alike = '{}'`;
  const headers = { apikey: publicKey };
  await fetch(stack.url('API_PORT', '/functions/v1/resend-email/deliver'), { method: 'POST', headers });
}

async function finish(): Promise<void> {
  const isDone = async () => {
    await hurry();
    return isNobodyWaiting();
  };
  expect(await waitUntil(() => isDone().catch(() => false), 60_000)).toBe(true);
}

/** Kills parts of the stack. The leases of a killed delivery end at once, instead of after a minute. */
async function kill(...parts: string[]): Promise<void> {
  const killed = parts.map((part) => ({ part, pid: stack.pids[part]! }));
  for (const { pid } of killed) process.kill(pid, 'SIGKILL');
  // Connections outlive a killed database for a moment, so an answer alone does not show that it is back.
  const areBack = () => killed.every(({ part, pid }) => stack.pids[part] !== pid);
  expect(await waitUntil(areBack, 30_000)).toBe(true);
  await stack.hasConnection();
  await sql`update private.outbox set leased_until = now() where leased_until > now()`;
}

describe('an announcement', () => {
  it('reaches every member once while calls fail, functions are killed, and people come and go', async () => {
    const members = range(200, () => makeEmail('member'));
    const [leaving, bouncing] = [members.slice(0, 20), members.slice(20, 40)];
    await addMembers(members);
    const failures: Behavior[] = [
      'lost',
      { status: 500 },
      'reset',
      { status: 429, headers: { 'Retry-After': '1' } },
    ];
    provider.plan = range(5_000, (index) => (index % 5 === 4 ? failures[(index / 5) & 3]! : 'take'));

    const outcomes = await Promise.all(range(3, announce));
    expect(outcomes.flat()).toEqual(
      expect.arrayContaining([
        { outcome: 'queued', queued: 200 },
        { outcome: 'queued', queued: 0 },
      ]),
    );
    const early = range(10, () => makeEmail('early'));
    const sent = () => provider.delivered.filter(({ subject }) => subject === 'We are live').length;
    await hurry();
    await Promise.all(early.map(signUp));
    expect(await waitUntil(() => sent() > 30, 30_000)).toBe(true);
    await stop(true);
    expect(await waitUntil(isNothingLeased, 30_000)).toBe(true);
    const before = new Set(provider.delivered.map(({ to }) => to[0]));
    for (const email of leaving) await call('remove_member', { email });
    for (const email of bouncing)
      await sql`insert into private.never_mailed (mailbox_hash) values (${`hash of ${email}`})`;
    await stop(false);
    for (const share of [60, 120]) {
      await hurry();
      expect(await waitUntil(() => sent() > share, 30_000)).toBe(true);
      await kill('resend-email', 'backend');
    }
    await announce();
    await finish();

    for (const email of members) {
      const isSkipped = [...leaving, ...bouncing].includes(email) && !before.has(email);
      expect(inbox(email), email).toEqual(isSkipped ? [] : ['We are live']);
    }
    for (const email of early) expect(inbox(email), email).toEqual([welcome.subject, 'We are live']);
  });

  it('has the links of the welcome, and unsubscribes with one click', async () => {
    const email = makeEmail('name');
    await signUp(email);
    await finish();
    await announce();
    await finish();
    const [welcome, news] = provider.to(email);
    expect(news!.headers).toEqual(welcome!.headers);
    expect(news).toMatchObject({ from: welcome!.from, subject: 'We are live' });
    const url = /<(http[^>]+)>/.exec(news!.headers['List-Unsubscribe']!)![1]!;
    expect(news!.html).toBe(`<p>Hello ${email}</p><a href="${url}">Unsubscribe</a>`);
    expect(news!.text).toBe(`Hello ${email}\nUnsubscribe: ${url}`);
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toContain('/leave#');
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    expect(await sql`select from private.outbox`).toHaveLength(0);
    expect(await announce()).toEqual([{ outcome: 'queued', queued: 0 }]);
  });

  it('keeps its own words while another one is sent', async () => {
    const members = range(3, () => makeEmail('member'));
    await addMembers(members);
    await announce();
    const message = template.replace('We are live', 'Big news');
    await call('queue_announcement', { name: 'news', message });
    await finish();
    for (const email of members) expect(inbox(email).toSorted(), email).toEqual(['Big news', 'We are live']);
  });

  it('is sent after the welcome of a visitor who signs up meanwhile', async () => {
    await addMembers(range(150, () => makeEmail('member')));
    // At this pace, sending everything takes longer than the timeout of this test.
    await setPace(1);
    await announce();
    await hurry();
    expect(await waitUntil(() => provider.delivered.length > 0, 30_000)).toBe(true);
    const email = makeEmail('new');
    await signUp(email);
    expect(await waitUntil(() => inbox(email).length > 0, 30_000)).toBe(true);
    expect(await isNobodyWaiting()).toBe(false);
    await setPace(100);
    await finish();
    expect(inbox(email)).toEqual([welcome.subject]);
  });

  it.each<[string, Behavior, object]>([
    ['has its quota spent', { status: 429, name: 'daily_quota_exceeded' }, { waiting: 5, sent: 0 }],
    ['refuses the key', { status: 401, name: 'invalid_api_key' }, { waiting: 5, sent: 0 }],
    ['does not know the sender', { status: 403, name: 'validation_error' }, { waiting: 5, sent: 0 }],
    ['is down', { status: 503 }, { waiting: 5, sent: 0 }],
    ['refuses each message', { status: 422, name: 'missing_required_field' }, { waiting: 5, sent: 0 }],
    ['refuses each recipient', badRecipient, { refused: 5, sent: 0 }],
  ])('waits for a provider that %s, and is then sent once', async (_, behavior, state) => {
    const members = range(5, () => makeEmail('member'));
    await addMembers(members);
    provider.otherwise = behavior;
    await announce();
    await hurry();
    const isTried = async () =>
      (await sql`select from private.outbox where last_problem is not null and leased_until is null`).length >
      0;
    expect(await waitUntil(isTried, 30_000)).toBe(true);
    const isIn = async () => {
      const [summary] = (await call('summarize_announcement', { name: 'launch' })) as object[];
      return Object.entries(state).every(
        ([key, value]) => (summary as Record<string, unknown>)[key] === value,
      );
    };
    expect(await waitUntil(isIn, 30_000)).toBe(true);
    provider.otherwise = 'take';
    await call('retry_outbox');
    await finish();
    for (const email of members) expect(inbox(email), email).toEqual(['We are live']);
  });

  it('reaches everybody even if the database is killed while it is queued and while it is sent', async () => {
    const members = range(50, () => makeEmail('member'));
    await addMembers(members);
    const queueing = announce().catch(() => undefined);
    await kill('database');
    await queueing;
    await announce();
    await hurry();
    expect(await waitUntil(() => provider.delivered.length > 5, 30_000)).toBe(true);
    await kill('database');
    await finish();
    for (const email of members) expect(inbox(email), email).toEqual(['We are live']);
  });
});

it('sends a test message to one address only, then deletes it', async () => {
  const owner = makeEmail('owner');
  await addMembers(range(3, () => makeEmail('member')));
  await announce();
  await stop(true);
  const id = await call('queue_test', { message: template, email: owner });
  await hurry();
  const isSent = async () => ((await call('find_test', { id })) as { state: string }[])[0]?.state === 'sent';
  expect(await waitUntil(isSent, 30_000)).toBe(true);
  expect(inbox(owner)).toEqual(['We are live']);
  const link = /<(http[^>]+)>/.exec(provider.to(owner)[0]!.headers['List-Unsubscribe']!)![1]!;
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  await call('forget_test', { id }).catch(() => undefined);
  expect(await sql`select from private.outbox where email = ${owner}`).toHaveLength(0);
  expect(await sql`select name from private.announcements`).toEqual([{ name: 'launch' }]);
});

// The last test, so that it reads what the function logged during all failures above.
it('the function writes no address to its log', () => {
  const log = readFileSync(join(stack.dataDir, 'logs', 'resend-email.log'), 'utf8');
  expect(log).toContain('refused: Resend answered 422');
  expect(log).not.toMatch(/@example\.org/i);
});
