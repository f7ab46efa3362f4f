import postgres from 'postgres';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { databaseUrl } from './database.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';

const sql = postgres(databaseUrl, { max: 20, onnotice: () => {} });
afterAll(() => sql.end());

beforeEach(async () => {
  await sql`delete from private.outbox`;
  await sql`delete from private.calls`;
  await sql`delete from private.delivery_events`;
  await sql`delete from private.never_mailed`;
  await sql`delete from private.accepted_calls`;
  await sql`delete from private.mailbox_deliveries`;
  await sql`delete from private.used_tokens`;
  await sql`delete from waitlist_emails`;
});

const hashOf = (address: string) => `hash of ${address}`;
const tokenOf = (email: string) => `token of ${email}`;
const messageOf = (address: string) => `message of ${address}`;

async function accept(email: string) {
  const [answer] = await sql`
    select * from accept_sign_up(
      ${email}, 'body', ${crypto.randomUUID()}, ${tokenOf(email)}, ${`caller of ${email}`}, null, ${hashOf(email)}, ${email})`;
  return answer;
}

async function lease() {
  await sql`update private.pace set next_delivery_at = now()`;
  return (await sql`select * from lease_delivery()`)[0];
}

async function deliver(address: string) {
  const held = (await lease())!;
  await sql`select record_delivery(${held['id']}, ${held['lease']}, 'sent', ${messageOf(address)}, null, null)`;
}

async function send(address: string) {
  await accept(address);
  await deliver(address);
}

async function tell(
  kind: 'delivered' | 'bounced' | 'complained' | 'failed' | 'suppressed',
  address: string,
  { id = `${kind} ${address}`, isFinal = kind !== 'delivered' } = {},
) {
  const hash = isFinal ? hashOf(address) : null;
  const problem = kind === 'bounced' ? 'Permanent' : null;
  await sql`
    select record_delivery_event(${id}, ${messageOf(address)}, ${kind}, '2026-11-21T12:00:00.123Z', ${problem}, ${hash})`;
}

const inspect = async (address: string) => (await sql`select * from inspect_sign_up(${address})`)[0];
const events = () => sql`select kind, delivery is not null as matched from private.delivery_events`;

describe('an event', () => {
  it('is stored with its welcome', async () => {
    await send('name@example.com');
    expect(await inspect('name@example.com')).toMatchObject({ state: 'sent', is_delivered: false });
    await tell('delivered', 'name@example.com');
    expect(await inspect('name@example.com')).toMatchObject({ is_delivered: true, return_kind: null });
    expect(await sql`select * from list_returned()`).toEqual([]);
  });

  it('is recorded once, even if it comes many times at once', async () => {
    await send('name@example.com');
    await Promise.all(Array.from({ length: 20 }, () => tell('bounced', 'name@example.com')));
    expect(await sql`select email, state, problem from list_returned()`).toEqual([
      { email: 'name@example.com', state: 'bounced', problem: 'Permanent' },
    ]);
  });

  it.each(['failed', 'suppressed'] as const)(
    'is shown to the owner when it says that the message %s',
    async (kind) => {
      await send('name@example.com');
      await tell(kind, 'name@example.com', { isFinal: false });
      expect(await sql`select email, state from list_returned()`).toEqual([
        { email: 'name@example.com', state: kind },
      ]);
    },
  );

  it('finds its welcome even if it arrives while the provider’s answer is being recorded', async () => {
    await accept('name@example.com');
    const held = (await lease())!;
    const answer = await holdOpen(
      sql,
      (transaction) =>
        transaction`select record_delivery(${held['id']}, ${held['lease']}, 'sent', ${messageOf('name@example.com')}, null, null)`,
    );
    const event = tell('bounced', 'name@example.com');
    const isWaiting = await waitUntil(() => isSomebodyWaiting(sql), 10_000);
    await answer.commit();
    await event;
    expect(isWaiting).toBe(true);
    expect(await inspect('name@example.com')).toMatchObject({ state: 'sent', return_kind: 'bounced' });
  });

  it("finds its welcome even if it arrives before the provider's answer", async () => {
    await accept('name@example.com');
    await tell('delivered', 'name@example.com');
    expect(await events()).toEqual([{ kind: 'delivered', matched: false }]);
    await deliver('name@example.com');
    expect(await inspect('name@example.com')).toMatchObject({ state: 'sent', is_delivered: true });
  });

  it('is kept for a day when its message is unknown', async () => {
    await tell('delivered', 'stranger@example.com');
    await sql`update private.delivery_events set received_at = now() - interval '25 hours'`;
    await send('name@example.com');
    await tell('delivered', 'name@example.com');
    await sql`update private.delivery_events set received_at = now() - interval '25 hours'`;
    await tell('delivered', 'other@example.com');
    expect(await events()).toEqual([
      { kind: 'delivered', matched: true },
      { kind: 'delivered', matched: false },
    ]);
  });

  it('is recorded with the time of its arrival if it contains no time', async () => {
    await send('name@example.com');
    await sql`select record_delivery_event('e', ${messageOf('name@example.com')}, 'bounced', null, null, null)`;
    expect(
      await sql`select at::timestamptz > now() - interval '1 minute' as now from list_returned()`,
    ).toEqual([{ now: true }]);
  });

  it('is deleted with the welcome of a member who leaves', async () => {
    await send('name@example.com');
    await tell('delivered', 'name@example.com');
    await sql`select leave_waitlist(${tokenOf('name@example.com')})`;
    expect(await events()).toEqual([]);
  });

  it('is shown to the owner in pages, oldest first', async () => {
    for (const name of ['b', 'a', 'c']) {
      await send(`${name}@example.com`);
      await tell('complained', `${name}@example.com`);
    }
    const [first, second] = await sql`select * from list_returned(page_size => 2)`;
    expect([first!['email'], second!['email']]).toEqual(['a@example.com', 'b@example.com']);
    const rest = await sql`
      select email from list_returned(after_time => ${second!['at']}, after_email => ${second!['email']})`;
    expect(rest).toEqual([{ email: 'c@example.com' }]);
  });
});

describe.each(['bounced', 'complained'] as const)('an address that %s', (kind) => {
  const address = 'name@example.com';

  it('is not mailed again when its member leaves and signs up again, and gets the same answer as before', async () => {
    await send(address);
    await tell(kind, address);
    await sql`select leave_waitlist(${tokenOf(address)})`;
    expect(await accept(address)).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await sql`select email from waitlist_emails`).toEqual([{ email: address }]);
    expect(await lease()).toBeUndefined();
    expect(await inspect(address)).toMatchObject({
      state: 'refused',
      problem: 'bounced or complained before: never mailed again',
    });
  });

  it('is not mailed again when the event arrives after the member has left', async () => {
    await send(address);
    await sql`select leave_waitlist(${tokenOf(address)})`;
    await tell(kind, address);
    await accept(address);
    expect(await lease()).toBeUndefined();
  });

  it('is not mailed again when the owner retries', async () => {
    await accept(address);
    await tell(kind, address);
    await sql`update private.outbox set state = 'unknown'`;
    expect(await sql`select count_unknown(${address}) as unknown`).toEqual([{ unknown: '0' }]);
    expect(await sql`select retry_outbox(${address}) as changed`).toEqual([{ changed: 0 }]);
    expect(await lease()).toBeUndefined();
    expect(await inspect(address)).toMatchObject({ state: 'unknown' });
  });

  it('does not delay the welcomes behind it', async () => {
    await tell(kind, address);
    await accept(address);
    await accept('other@example.com');
    expect(await lease()).toMatchObject({ message: 'body' });
    expect(await inspect('other@example.com')).toMatchObject({ state: 'waiting' });
    expect(await inspect(address)).toMatchObject({ state: 'refused' });
  });

  it('leaves nothing behind but a hash', async () => {
    await send(address);
    await tell(kind, address);
    await sql`select leave_waitlist(${tokenOf(address)})`;
    expect(await sql`select * from private.never_mailed`).toEqual([{ email_hash: hashOf(address) }]);
    expect(await events()).toEqual([]);
  });
});

describe('an address whose mailbox was full', () => {
  it('is mailed when it signs up again', async () => {
    await send('name@example.com');
    await tell('bounced', 'name@example.com', { isFinal: false });
    await sql`select leave_waitlist(${tokenOf('name@example.com')})`;
    await accept('name@example.com');
    expect(await lease()).toMatchObject({ message: 'body' });
  });
});

describe('a probe', () => {
  const probe = 'delivered+probe-one@resend.dev';

  it('counts the callers of its own calls, and how many other sign-ups came from the same caller', async () => {
    await accept(probe);
    await accept(probe);
    expect(await inspect(probe)).toMatchObject({
      entries: 1,
      callers: 1,
      others: 0,
      others_alike: 0,
    });
    await sql`select accept_sign_up('a@example.com', 'm', gen_random_uuid(), 'ta', ${`caller of ${probe}`}, null, 'a', 'a')`;
    await sql`select accept_sign_up('b@example.com', 'm', gen_random_uuid(), 'tb', 'another', null, 'b', 'b')`;
    await sql`select accept_sign_up('c@example.com', 'm', gen_random_uuid(), 'tc', null, null, 'c', 'c')`;
    expect(await inspect(probe)).toMatchObject({ callers: 1, others: 3, others_alike: 1 });
    await sql`update private.calls set caller_hash = null`;
    expect(await inspect(probe)).toMatchObject({ callers: 0, unseen: 2, others_alike: 0 });
  });

  it('sees how many welcomes are sent before its own, and what holds them up', async () => {
    await send('sent@example.com');
    await accept('first@example.com');
    await sql`select queue_announcement('news', '{"subject":"","html":"","text":""}')`;
    await sql`select private.add_messages('news')`;
    await accept(probe);
    await accept('later@example.com');
    await sql`update private.outbox set last_problem = 'TimeoutError' where email = 'later@example.com'`;
    expect(await inspect(probe)).toMatchObject({ state: 'waiting', ahead: 1, held_up_by: 'TimeoutError' });
    await sql`delete from private.announcements`;
  });

  it('finds nothing about an unknown address', async () => {
    const found = await inspect('nobody@example.com');
    expect(found).toMatchObject({ entries: 0, state: null, callers: 0 });
  });

  it('removes everything that it created and that an earlier probe left behind, and nothing else', async () => {
    const others = ['delivered+probe-running@resend.dev', 'delivered@resend.dev', 'name@example.com'];
    for (const address of ['delivered+probe-old@resend.dev', ...others, probe]) await send(address);
    await sql`update private.outbox set accepted_at = now() - interval '2 hours'
      where email in ('delivered+probe-old@resend.dev', 'delivered@resend.dev', 'name@example.com')`;
    await sql`select forget_probe(${probe})`;
    await sql`select forget_probe('name@example.com')`;
    const left = await sql`select email from waitlist_emails order by created_at`;
    expect(left.map(({ email }) => email)).toEqual(others);
    expect(await sql`select from private.outbox`).toHaveLength(3);
    expect(await sql`select from private.calls`).toHaveLength(3);
  });
});

describe('the functions for events and probes', () => {
  it.each(['anon', 'authenticated'])('cannot be called by the role %s', async (role) => {
    const as = (statement: string) =>
      sql.begin(async (transaction) => {
        await transaction`select set_config('role', ${role}, true)`;
        return transaction.unsafe(statement);
      });
    for (const statement of [
      `select record_delivery_event('e', 'm', 'complained', now(), null, 'h')`,
      'select * from list_returned()',
      `select * from inspect_sign_up('a@example.com')`,
      `select forget_probe('a@example.com')`,
      'select * from private.delivery_events',
      'select * from private.never_mailed',
    ])
      await expect(as(statement), statement).rejects.toMatchObject({ code: '42501' });
  });

  it('can be called with the secret key', async () => {
    await sql.begin(async (transaction) => {
      await transaction`set local role service_role`;
      await transaction`select record_delivery_event('e', 'm', 'complained', now(), null, 'h')`;
      await transaction`select * from list_returned()`;
      await transaction`select * from inspect_sign_up('a@example.com')`;
      await transaction`select forget_probe('a@example.com')`;
    });
  });
});
