import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hashAddress } from '../../functions/_shared/mailbox.ts';
import { makeUnsubscribeToken } from '../../functions/_shared/unsubscribe-token.ts';
import { functionNames } from '../../shared/variables.ts';
import { waitUntil } from '../../ops/stack/process.ts';
import { readRunFile } from '../../ops/stack/run-file.ts';
import { sendEvent } from '../../ops/stack/webhook.ts';
import { anchors, placeholders } from '../../src/config/site.ts';
import { Parts } from '../ops/parts.ts';
import { readWords } from '../words.ts';
import { type Behavior, Provider } from './provider.ts';

/** The functions under Deno, the real data API and database, and a provider that can fail. */
const stack = new Parts();
const provider = new Provider();
const key = 'sb_publishable_local_stack_of_dropyard';
/** The secrets of unsubscribe links, after the old one was replaced. */
const tokenSecrets = ['n'.repeat(32), 'o'.repeat(32)] as const;
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const { subject } = readWords('welcomeEmail');
const template = JSON.stringify({ subject: 'We are live', html: 'We are live', text: 'We are live' });
let sql: postgres.Sql;

beforeAll(async () => {
  await provider.listen();
  await stack.choosePorts();
  stack.environment = {
    ...stack.environment,
    RESEND_BASE_URL: provider.url,
    RESEND_WEBHOOK_SECRET: secret,
    CALLER_HEADER: 'x-test-caller',
    TOKEN_SECRET: tokenSecrets.join(),
  };
  expect(await stack.start(), stack.output).toBe('ready');
  sql = postgres(stack.databaseUrl, { onnotice: () => {} });
  // Makes every retry due at once, because a delivery that waits for one would sleep.
  await sql`
    create function hurry() returns trigger language plpgsql as
    'begin if new.lease is null then new.next_try_at := least(new.next_try_at, now()); end if; return new; end'`;
  await sql`create trigger hurry before update on private.outbox for each row execute function hurry()`;
  await sql`update private.limits set value = 100, highest = 100 where name = 'deliveries'`;
  await sql`update private.limits set value = 3 where name = 'caller_calls'`;
});

beforeEach(async () => {
  provider.plan = [];
  await sql.begin(async (transaction) => {
    // A delivery that has begun locks the pace first, then the outbox, then others.
    await transaction`select from private.pace for update`;
    await transaction`
      truncate private.outbox, waitlist_emails, private.members, private.announcements, private.delivery_events,
        private.never_mailed, private.calls`;
    await transaction`update private.pace set next_delivery_at = now(), problem = null`;
  });
});

afterAll(async () => {
  await sql?.end({ timeout: 5 });
  await stack.stop();
  await provider.close();
  stack.remove();
});

let count = 0;
const makeEmail = (name = 'name') => `${name}-${++count}@example.org`;
const range = <Value>(length: number, make: () => Value) => Array.from({ length }, () => make());
const siteOrigin = () => `http://localhost:${stack.environment['SITE_PORT']}`;
const functionUrl = (path: string) => stack.url('API_PORT', `/functions/v1/${path}`);

/** Signs an address up. By default, each call has a caller of its own. */
function signUp(to: string, headers: Record<string, string> = {}) {
  return fetch(functionUrl('resend-email'), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      apikey: key,
      Origin: siteOrigin(),
      'x-test-caller': `2001:db8:${(++count).toString(16)}::1`,
      ...headers,
    },
    body: JSON.stringify({ from: 'x@evil.example', to, subject: 'evil', html: '<b>evil</b>' }),
  });
}

/** What a caller sees of an answer. */
async function read(response: Response) {
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  return [response.status, headers, await response.text()];
}

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
/** The subjects of the messages that reached an address, in order. */
const inbox = (email: string) => provider.to(email).map(({ subject }) => subject);
const members = async (email: string) =>
  (await sql`select from waitlist_emails where email = ${email}`).length;
/** The welcome of an address. */
const welcomeOf = async (email: string) =>
  (
    await sql`
      select outbox.* from private.outbox join private.members on members.id = member
      where members.email = ${email} and announcement is null`
  )[0];
const hasState = (email: string, state: string) =>
  waitUntil(async () => (await welcomeOf(email))?.['state'] === state, 30_000);

/** Starts a delivery, without waiting for the pace. */
async function hurry(): Promise<void> {
  await sql`update private.pace set next_delivery_at = least(next_delivery_at, now())`;
  await fetch(functionUrl('resend-email/deliver'), { method: 'POST', headers: { apikey: key } });
}

/** Delivers until nothing waits. */
async function finish(): Promise<void> {
  const isDone = async () => {
    await hurry();
    return (await sql`select from private.outbox where state = 'waiting'`).length === 0;
  };
  expect(await waitUntil(() => isDone().catch(() => false), 60_000)).toBe(true);
}

/** Signs an address up. Resolves to the provider's id of its welcome, which was sent. */
async function welcome(email: string): Promise<string> {
  expect((await signUp(email)).status).toBe(200);
  expect(await hasState(email, 'sent')).toBe(true);
  return String((await welcomeOf(email))!['provider_id']);
}

/** Kills parts of the stack. The leases of a killed delivery end at once, instead of after a minute. */
async function kill(...parts: string[]): Promise<void> {
  const killed = parts.map((part) => ({ part, pid: stack.pids[part]! }));
  for (const { pid } of killed) process.kill(pid, 'SIGKILL');
  // Connections outlive a killed database for a moment, so an answer alone does not show that it is back.
  const areBack = () => killed.every(({ part, pid }) => stack.pids[part] !== pid);
  expect(await waitUntil(areBack, 30_000)).toBe(true);
  await stack.hasConnection();
  await sql`update private.outbox set next_try_at = now() where lease is not null`;
}

describe('a sign-up', () => {
  it('puts the address on the list and sends one welcome, which contains nothing from the call', async () => {
    const email = makeEmail("o'neil&co");
    expect((await signUp(` ${email.toUpperCase()} `)).status).toBe(200);
    expect(await members(email)).toBe(1);
    expect(await hasState(email, 'sent')).toBe(true);
    const [message] = provider.to(email);
    // Nor a blank that nobody filled.
    expect(JSON.stringify(message)).not.toMatch(/evil|\{\{/);
    const from = placeholders.PUBLIC_EMAIL_SENDER;
    expect(message).toMatchObject({ from, subject, to: [email] });
  });

  it('is refused over the limit of its caller, who is kept as a hash like the address and the mailbox', async () => {
    const from = (subnet: number) => ({ 'x-test-caller': `2001:db8:1:${subnet}::1` });
    for (const subnet of [1, 2, 3])
      expect((await signUp(makeEmail('name+tag'), from(subnet))).status).toBe(200);
    const refused = await signUp(makeEmail(), from(4));
    expect(refused.status).toBe(429);
    expect((await signUp(makeEmail(), { 'x-test-caller': '203.0.113.10' })).status).toBe(200);
    // Two callers, four addresses, and two mailboxes.
    const hashes = await sql`
      select caller_hash as hash from private.calls union select address_hash from private.members
      union select mailbox_hash from private.members`;
    expect(hashes).toHaveLength(8);
    for (const { hash } of hashes) expect(hash).toMatch(/^[\w-]{43}$/);
  });

  it('is told that sign-ups are closed until the owner opens them, on the page and without scripts', async () => {
    const setSignUps = async (value: number) => void (await sql`select set_limit('sign_ups', ${value})`);
    await setSignUps(0);
    onTestFinished(() => setSignUps(1));
    const email = makeEmail();
    const refused = await signUp(email);
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: { code: 'sign_ups_closed' } },
    ]);
    expect(refused.headers.get('access-control-allow-origin')).toBe(siteOrigin());
    const body = new URLSearchParams({ apikey: key, email_address: email });
    const redirected = await fetch(functionUrl('resend-email'), { method: 'POST', body, redirect: 'manual' });
    expect(redirected.headers.get('location')).toBe(`${siteOrigin()}/${anchors.closed}`);
    await setSignUps(1);
    expect((await signUp(email)).status).toBe(200);
  });

  it('is neither lost nor duplicated once it was accepted, even if it comes twice at once and everything crashes', async () => {
    const acknowledged = new Set<string>();
    const emails = range(14, () => makeEmail('crash'));
    const sent = [...emails, ...emails].map(async (email) => {
      if ((await signUp(email).catch(() => undefined))?.ok) acknowledged.add(email);
    });
    await Promise.race(sent);
    await kill('database', 'backend', 'resend-email');
    await Promise.all(sent);
    await finish();
    expect(acknowledged.size).toBeGreaterThan(0);
    for (const email of acknowledged) {
      expect(provider.to(email), email).toHaveLength(1);
      expect(await members(email), email).toBe(1);
    }
  });
});

it('a provider that fails in every way only delays the welcome, which is sent once', async () => {
  const email = makeEmail();
  provider.plan = [{ status: 500 }, 'reset', 'lost', { status: 503 }, 'half'];
  expect((await signUp(email)).status).toBe(200);
  expect(await members(email)).toBe(1);
  await finish();
  expect(provider.to(email)).toHaveLength(1);
  expect(provider.plan).toEqual([]);
});

it('an announcement reaches every member once while calls fail, the function is killed, and people join', async () => {
  const everybody = range(60, () => makeEmail('member'));
  await sql`insert into waitlist_emails (email, source) select unnest(${everybody}::text[]), 'landing_page'`;
  await sql`
      insert into private.members (email, address_hash, mailbox_hash)
      select email, 'address ' || email, 'mailbox of ' || email from waitlist_emails`;
  // Their welcome was sent long ago.
  await sql`
      insert into private.outbox (member, mailbox_hash, template, state)
      select id, mailbox_hash, private.store_template(${template}), 'sent' from private.members`;
  const some: Behavior[] = ['take', 'take', 'take', 'lost', 'take', 'take', { status: 500 }, 'take', 'reset'];
  provider.plan = range(50, () => some).flat();
  const queued = (await Promise.all(range(3, announce))) as number[];
  expect(queued.toSorted((a, b) => a - b)).toEqual([0, 0, 60]);
  const early = range(5, () => makeEmail('early'));
  const sent = () => provider.delivered.filter(({ subject }) => subject === 'We are live').length;
  await hurry();
  await Promise.all(early.map((email) => signUp(email)));
  expect(await waitUntil(() => sent() > 5, 30_000)).toBe(true);
  await kill('resend-email', 'backend');
  await announce();
  await finish();
  for (const email of everybody) expect(inbox(email), email).toEqual(['We are live']);
  for (const email of early) expect(inbox(email), email).toEqual([subject, 'We are live']);
  const [welcomed, announced] = provider.to(early[0]!);
  expect(announced).toMatchObject({ from: welcomed!.from, headers: welcomed!.headers });
});

it('a link that an older secret signed still unsubscribes, and the database keeps the hashes of the oldest one', async () => {
  const email = makeEmail();
  await welcome(email);
  const [member] = await sql`select * from private.members where email = ${email}`;
  expect(member).toMatchObject(hashAddress(email, [tokenSecrets[1]]));
  const url = new URL(/<(http[^>]+)>/.exec(provider.to(email)[0]!.headers['List-Unsubscribe']!)![1]!);
  expect(url.searchParams.get('token')).toBe(makeUnsubscribeToken(member!['id'], tokenSecrets[0]));
  url.searchParams.set('token', makeUnsubscribeToken(member!['id'], tokenSecrets[1]));
  expect((await fetch(url, { method: 'POST' })).status).toBe(200);
  expect(await members(email)).toBe(0);
});

it('a complaint ends the mail to a mailbox, which is stored as a hash only, unless it was forged, and nobody can tell from the answers', async () => {
  const email = makeEmail();
  const data = { email_id: await welcome(email), to: [email] };
  await call('remove_members', { emails: [email] });
  const event = { id: 'msg_1', type: 'email.complained', created_at: new Date().toISOString(), data };
  const send = (by: string) => sendEvent(event, { url: functionUrl('delivery-events'), secret: by });
  expect((await send(`whsec_${Buffer.alloc(24, 8).toString('base64')}`)).status).toBe(401);
  expect(await sql`select from private.delivery_events`).toEqual([]);
  expect((await send(secret)).status).toBe(200);
  expect(await sql`select * from private.never_mailed`).toEqual([
    { hash: expect.stringMatching(/^[\w-]{43}$/) },
  ]);
  const answers = [];
  for (const each of [email, email, makeEmail()]) answers.push(await read(await signUp(each)));
  expect(answers[0]![0]).toBe(200);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(await hasState(email, 'refused')).toBe(true);
  expect(inbox(email)).toHaveLength(1);
});

it('an insert with the public key adds nobody whom the function did not accept, and always gets the same answer', async () => {
  const accepted = makeEmail();
  await signUp(accepted);
  const answers = [];
  for (const email of [accepted, makeEmail('stranger'), ` ${accepted.toUpperCase()} `]) {
    const response = await fetch(stack.url('API_PORT', '/rest/v1/waitlist_emails'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', apikey: key, Prefer: 'return=minimal,count=exact' },
      body: JSON.stringify([{ email, created_at: new Date().toISOString(), source: 'landing_page' }]),
    });
    answers.push(await read(response));
  }
  expect(answers[0]?.[0]).toBe(201);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(await sql`select email from waitlist_emails`).toEqual([{ email: accepted }]);
});

// The last test, so that it reads what the functions logged during all failures above.
it('no function writes an address to its log', () => {
  const logs = functionNames.map((name) => readFileSync(join(stack.dataDir, 'logs', `${name}.log`), 'utf8'));
  expect(logs.join('')).toContain(' failed: Resend answered 500');
  for (const log of logs) expect(log).not.toMatch(/@example\.org/i);
});
