import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { makeEvents, type ProviderEvent, sendEvent } from '../../local/webhook.ts';
import { Parts } from '../local/parts.ts';

/** The webhook function under Deno, with the real database, and the inbox instead of Resend. */
const stack = new Parts();
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const key = 'sb_publishable_local_stack_of_dropyard';
let sql: postgres.Sql;

beforeAll(async () => {
  await stack.choosePorts();
  stack.environment = {
    ...stack.environment,
    RESEND_WEBHOOK_SECRET: secret,
    CALLER_HEADER: 'x-test-caller',
  };
  await stack.start();
  sql = postgres(stack.databaseUrl, { onnotice: () => {} });
});

beforeEach(async () => {
  await sql`delete from private.calls`;
});

afterAll(async () => {
  await sql?.end();
  await stack.stop();
  stack.remove();
});

let count = 0;
const makeEmail = () => `name-${++count}@example.org`;

async function signUp(email: string) {
  const response = await fetch(stack.url('API_PORT', '/functions/v1/resend-email'), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      apikey: key,
      Origin: `http://localhost:${stack.environment['SITE_PORT']}`,
      'x-test-caller': `2001:db8:${(++count).toString(16)}::1`,
    },
    body: JSON.stringify({ to: email }),
  });
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  return [response.status, headers, await response.text()];
}

const send = (event: ProviderEvent, by = secret) =>
  sendEvent(event, { url: stack.url('API_PORT', '/functions/v1/delivery-events'), secret: by });

async function isTrue(query: postgres.PendingQuery<postgres.Row[]>): Promise<boolean> {
  return (await query).length > 0;
}

/** The welcome of an address. */
const welcomeOf = (email: string) => sql`
  (select outbox.* from private.outbox join private.members on members.id = member where members.email = ${email})`;
const hasState = (email: string, state: string) =>
  waitUntil(() => isTrue(sql`select from ${welcomeOf(email)} as entry where entry.state = ${state}`), 30_000);
const hasEvent = (email: string, kind: string) =>
  waitUntil(
    () =>
      isTrue(sql`
        select from private.delivery_events as event join ${welcomeOf(email)} as entry on entry.id = event.delivery
        where kind = ${kind}`),
    30_000,
  );

/** Signs an address up. Resolves to the provider's id of its welcome. */
async function welcome(email: string): Promise<string> {
  await signUp(email);
  expect(await hasState(email, 'sent')).toBe(true);
  const [entry] = await sql`select provider_id from ${welcomeOf(email)} as entry`;
  return String(entry!['provider_id']);
}

function complain(email: string, emailId: string): ProviderEvent {
  return { ...makeEvents(emailId, { to: [email] })[0]!, id: `msg_${++count}`, type: 'email.complained' };
}

const inbox = async (email: string) => {
  const { data } = (await (await fetch(stack.url('INBOX_PORT', '/emails'))).json()) as {
    data: { to: string[] }[];
  };
  return data.filter(({ to }) => to.includes(email)).length;
};

it('the inbox takes a message once, and refuses another one under the same key, like Resend', async () => {
  const email = makeEmail();
  const post = (subject: string) =>
    fetch(stack.url('INBOX_PORT', '/emails'), {
      method: 'POST',
      headers: { 'Idempotency-Key': `key of ${email}` },
      body: JSON.stringify({ to: [email], subject }),
    });
  const statuses = [await post('One'), await post('One'), await post('Other')].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 409]);
  expect(await inbox(email)).toBe(1);
});

describe('the report of a delivery', () => {
  it('is stored with the welcome, both when it arrives and when it is marked as spam', async () => {
    const email = makeEmail();
    const emailId = await welcome(email);
    expect(await hasEvent(email, 'delivered')).toBe(true);
    expect((await send(complain(email, emailId)))?.status).toBe(200);
    expect(await hasEvent(email, 'complained')).toBe(true);
  });

  it.each([
    ['bounced@resend.dev', 'bounced'],
    ['complained+label@resend.dev', 'complained'],
    ['suppressed@resend.dev', 'suppressed'],
  ])('says for %s, one of Resend’s own test addresses, that the message %s', async (email, kind) => {
    await welcome(email);
    expect(await hasEvent(email, kind)).toBe(true);
  });

  it('puts the welcome back when the provider could not send it, and the address stays mailable', async () => {
    const email = makeEmail();
    const emailId = await welcome(email);
    const before = await sql`select from private.never_mailed`;
    const at = '2026-11-20T12:00:00.000Z';
    const event = { ...complain(email, emailId), type: 'email.failed' as const, created_at: at };
    event.data['failed'] = { reason: 'reached_daily_quota' };
    expect((await send(event))?.status).toBe(200);
    expect(await hasEvent(email, 'failed')).toBe(true);
    expect(await sql`select at, problem from private.delivery_events where id = ${event.id}`).toEqual([
      { at: new Date(at), problem: 'reached_daily_quota' },
    ]);
    expect(await sql`select from private.never_mailed`).toHaveLength(before.length);
    expect(await hasState(email, 'waiting')).toBe(true);
  });
});

describe('an address that bounced or complained', () => {
  it('never gets another message, but gets the same answer as any other address', async () => {
    const email = makeEmail();
    await send(complain(email, await welcome(email)));
    await sql`select remove_member(${email})`;
    const before = await inbox(email);
    const stranger = makeEmail();
    const answers = [await signUp(email), await signUp(email), await signUp(stranger)];
    expect(answers[0]![0]).toBe(200);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await hasState(email, 'refused')).toBe(true);
    expect(await isTrue(sql`select from waitlist_emails where email = ${email}`)).toBe(true);
    // A welcome that was accepted later has been sent in the meantime.
    expect(await hasState(stranger, 'sent')).toBe(true);
    expect(await inbox(email)).toBe(before);
  });

  it('is mailed again when the owner removes it from the suppression list at Resend', async () => {
    const email = makeEmail();
    await send(complain(email, await welcome(email)));
    const spelling = email.replace('@', '+tag@');
    const removed = {
      ...makeEvents('unused', { to: [] })[0]!,
      type: 'suppression.removed',
      data: { email: spelling },
    };
    expect((await send(removed as never))?.status).toBe(200);
    await sql`select remove_member(${email})`;
    await welcome(email);
    expect(await inbox(email)).toBe(2);
  });

  it('is stored as a hash only', async () => {
    const email = makeEmail();
    const before = await sql`select from private.never_mailed`;
    await send(complain(email, await welcome(email)));
    const after = await sql`select * from private.never_mailed`;
    expect(after).toHaveLength(before.length + 1);
    for (const row of after) expect(row).toEqual({ mailbox_hash: expect.stringMatching(/^[\w-]{43}$/) });
  });
});

describe('a webhook call', () => {
  it('changes nothing when it was forged', async () => {
    const email = makeEmail();
    const emailId = await welcome(email);
    const before = await sql`select from private.never_mailed`;
    const forger = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
    expect((await send(complain(email, emailId), forger))?.status).toBe(401);
    const unsigned = await fetch(stack.url('API_PORT', '/functions/v1/delivery-events'), {
      method: 'POST',
      headers: { apikey: key, Authorization: `Bearer ${key}` },
      body: JSON.stringify(complain(email, emailId)),
    });
    expect(unsigned.status).toBe(401);
    expect(await sql`select from private.never_mailed`).toHaveLength(before.length);
    expect((await sql`select return_kind from inspect_sign_up(${email})`)[0]).toEqual({
      return_kind: null,
    });
  });

  it('is accepted when it is repeated, and recorded once', async () => {
    const email = makeEmail();
    const event = complain(email, await welcome(email));
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(event)));
    expect(answers.map((answer) => answer?.status)).toEqual(Array(10).fill(200));
    expect(await sql`select from private.delivery_events where id = ${event.id}`).toHaveLength(1);
  });

  it('is accepted for an unknown message', async () => {
    const [event] = makeEvents('unknown', { to: [makeEmail()] });
    expect((await send(event!))?.status).toBe(200);
  });

  it('is refused while the database is down, and accepted when it is repeated', async () => {
    const email = makeEmail();
    const event = complain(email, await welcome(email));
    expect((await stack.withoutDatabase(() => send(event)))?.status).toBe(503);
    expect((await send(event))?.status).toBe(200);
    expect(await hasEvent(email, 'complained')).toBe(true);
  });
});
