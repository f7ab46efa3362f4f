import { describe, expect, it } from 'vitest';
import { holdOpen, somebodyWaits } from './hold-open.ts';
import {
  accept,
  entry,
  join,
  leaseNow,
  leaseTurn,
  unsubscribe,
  mailboxOf,
  members,
  messageOf,
  pass,
  queue,
  record,
  report,
  sendAll,
  sql,
  tokenOf,
} from './sign-ups.ts';

const email = 'name@example.com';
const inspect = async (address: string) => (await sql`select * from inspect_sign_up(${address})`)[0];
const events = () =>
  sql`select kind, delivery is not null as matched from private.delivery_events order by received_at`;

describe('an event', () => {
  it('is recorded once, even if it comes many times at once', async () => {
    await join(email);
    await Promise.all(Array.from({ length: 20 }, () => report('bounced', email, { problem: 'Permanent' })));
    expect(await sql`select email, state, problem from list_returned()`).toEqual([
      { email, state: 'bounced', problem: 'Permanent' },
    ]);
    expect(await sql`select sum(bounced)::int as bounced from private.hours`).toEqual([{ bounced: 1 }]);
  });

  it('finds its message if it arrives while the provider’s answer is being recorded, or before', async () => {
    await accept('before@example.com');
    await accept(email);
    const before = (await leaseNow())!;
    await report('delivered', 'before@example.com', { message: messageOf(before) });
    expect(await events()).toEqual([{ kind: 'delivered', matched: false }]);
    await record(before, 'sent');
    expect(await inspect('before@example.com')).toMatchObject({ is_delivered: true, return_kind: null });
    expect(await sql`select * from list_returned()`).toEqual([]);

    const held = (await leaseNow())!;
    expect(await inspect(email)).toMatchObject({ is_delivered: false });
    const answer = await holdOpen(
      (open) =>
        open`select record_delivery(${held.id}, ${held.lease}, 'sent', ${messageOf(held)}, null, null)`,
    );
    const event = report('bounced', email, { message: messageOf(held) });
    expect(await somebodyWaits()).toBe(true);
    await answer.commit();
    await event;
    expect(await inspect(email)).toMatchObject({ state: 'sent', return_kind: 'bounced' });
  });

  it('is kept for a day when its message is unknown', async () => {
    await report('delivered', 'stranger@example.com');
    await join(email);
    await report('delivered', email);
    await sql`update private.delivery_events set received_at = now() - interval '25 hours'`;
    await report('delivered', 'other@example.com');
    expect(await events()).toEqual([
      { kind: 'delivered', matched: true },
      { kind: 'delivered', matched: false },
    ]);
  });

  it('is shown to the owner in pages, oldest first, even if many happened at the same moment', async () => {
    const emails = ['b', 'a', 'c', 'd'].map((name) => `${name}@example.com`);
    for (const each of emails) {
      await join(each);
      await report('complained', each);
    }
    await sql`update private.delivery_events set at = now()`;
    const listed: string[] = [];
    for (let last: { at: string | null; id: string | null } = { at: null, id: null }; ;) {
      const page = await sql`select * from list_returned(${last.at}::text::timestamptz, ${last.id}, 2)`;
      if (page.length === 0) break;
      listed.push(...page.map((row) => row['email'] as string));
      last = page.at(-1) as unknown as { at: string; id: string };
    }
    expect(listed.toSorted()).toEqual(emails.toSorted());
  });
});

describe('a message that the provider accepted and then failed to send', () => {
  it.each(['after', 'before'])(
    'is sent again in an hour under a new id (event %s the answer)',
    async (order) => {
      await accept(email);
      const held = (await leaseNow())!;
      const fail = () =>
        report('failed', email, { message: messageOf(held), problem: 'reached_daily_quota' });
      if (order === 'before') await fail();
      await record(held, 'sent');
      if (order === 'after') await fail();
      expect(await entry(email)).toMatchObject({ state: 'waiting', tries: 0, sent_at: null });
      expect((await entry(email))!['last_problem']).toContain('reached_daily_quota');
      expect(await leaseNow()).toBeUndefined();
      await pass('59 minutes');
      expect(await leaseNow()).toBeUndefined();
      await pass('1 minute');
      expect((await leaseNow())!.id).not.toBe(held.id);
      expect(await sql`select state from list_returned()`).toEqual([{ state: 'failed' }]);
      expect(await sql`select from private.never_mailed`).toHaveLength(0);
    },
  );

  it('is put back once, even if the event is repeated later', async () => {
    await join(email);
    const { provider_id } = (await entry(email))!;
    await report('failed', email);
    await pass('1 hour');
    await sendAll();
    await report('failed', email, { message: provider_id, id: 'again' });
    expect(await entry(email)).toMatchObject({ state: 'sent' });
  });
});

describe('a mailbox that bounced permanently or complained', () => {
  const kind = 'complained';

  it('is not mailed again when its member leaves and signs up again, and gets the same answer as before', async () => {
    await join(email);
    await report(kind, email);
    await unsubscribe(tokenOf(email));
    expect(await accept(email)).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await members()).toEqual([email]);
    // It uses up its turn, so that nobody can tell from the gap.
    const turn = await leaseTurn();
    expect(turn).toMatchObject({ id: null });
    expect(turn!.wait).toBeGreaterThan(0);
    expect(await leaseTurn()).toBeUndefined();
    expect(await inspect(email)).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('never mailed'),
    });
  });

  it('covers all its spellings, waiting ones too, and announcements', async () => {
    const spellings = ['name+a@example.com', 'name+b@example.com'];
    await join(email);
    for (const each of spellings) await accept(each, { mailbox: mailboxOf(email) });
    await report(kind, email);
    await queue();
    expect(await sendAll()).toEqual([]);
    expect(await sql`select never_mailed::int from summarize_waitlist()`).toEqual([{ never_mailed: 3 }]);
    expect(await sql`select email from list_members(mailable => true)`).toEqual([]);
  });

  it('is not mailed again when the event arrives after the member has left, and leaves nothing but a hash', async () => {
    await join(email);
    const { provider_id } = (await entry(email))!;
    await unsubscribe(tokenOf(email));
    await report(kind, email, { message: provider_id });
    await accept(email);
    expect(await leaseNow()).toBeUndefined();
    expect(await sql`select * from private.never_mailed`).toEqual([{ mailbox_hash: mailboxOf(email) }]);
  });

  it('is not mailed again when the owner retries, but when the owner forgives it', async () => {
    await accept(email);
    await report(kind, email);
    await sql`update private.outbox set state = 'unknown'`;
    expect(await sql`select retry_outbox(${email}, true) as changed`).toEqual([{ changed: 0 }]);
    expect(await sql`select forgive(${email}) as forgiven`).toEqual([{ forgiven: true }]);
    expect(await sql`select forgive(${email}) as forgiven`).toEqual([{ forgiven: false }]);
    expect(await sql`select retry_outbox(${email}, true) as changed`).toEqual([{ changed: 1 }]);
    expect(await sendAll()).toEqual([`welcome to ${email}`]);
  });
});

it('a mailbox that was only full is mailed again', async () => {
  await join(email);
  await report('bounced', email, { mailbox: null });
  await unsubscribe(tokenOf(email));
  await accept(email);
  expect(await sendAll()).toHaveLength(1);
});

describe('the brake', () => {
  const many = (count: number, name = 'name') =>
    Array.from({ length: count }, (_, index) => `${name}${index}@example.com`);
  const brake = async () => (await sql`select brake from summarize_waitlist()`)[0]!['brake'];
  const send = async (count: number, name: string) => {
    for (const each of many(count, name)) await accept(each);
    await sendAll();
  };

  /** Like `send`, but faster. */
  const countSent = async (count: number, name: string) => {
    await join(...many(count, name));
    await sql`insert into private.hours (hour, sent) values (date_trunc('hour', now()), ${count})`;
  };

  it('slows deliveries down to first turns when too many bounce, and ends when the rate is good again', async () => {
    await countSent(60, 'bot');
    await accept('first@example.com', { caller: 'one' });
    await accept('second@example.com', { caller: 'one' });
    for (const each of many(9, 'bot')) await report('bounced', each);
    expect(await brake()).toBeNull();
    await report('bounced', many(10, 'bot')[9]!);
    expect(await brake()).toContain('10 of 60');
    await queue();
    expect(await sendAll()).toEqual(['welcome to first@example.com']);
    expect(await leaseTurn()).toBeUndefined();
    expect(await inspect('second@example.com')).toMatchObject({ state: 'waiting', brake: await brake() });
    await pass('22 hours');
    expect(await brake()).not.toBeNull();
    await pass('2 hours');
    expect(await brake()).toBeNull();
    expect(await sendAll()).toContain('welcome to second@example.com');
  });

  it('ends when the owner lifts it, until there are new reasons', async () => {
    await send(20, 'bot');
    for (const each of many(10, 'bot')) await report('bounced', each);
    // Bounces of members who have been removed still count.
    await sql`select remove_undelivered(now() - interval '1 hour', now() + interval '1 hour', false)`;
    expect(await brake()).not.toBeNull();
    await accept('a@example.com', { caller: 'one' });
    await accept('b@example.com', { caller: 'one' });
    await sql`select lift_brake()`;
    expect(await brake()).toBeNull();
    expect(await sendAll()).toHaveLength(2);
    for (const each of many(20, 'bot').slice(10)) await report('bounced', each);
    expect(await brake()).not.toBeNull();
  });

  it('reacts to three complaints, but to no temporary bounce, no failure and no other sender of the account', async () => {
    await countSent(30, 'name');
    for (const each of many(30)) await report('bounced', each, { mailbox: null });
    for (const each of many(30, 'stranger')) await report('bounced', each);
    await report('complained', many(1)[0]!);
    await report('complained', many(2)[1]!);
    expect(await brake()).toBeNull();
    await report('complained', many(3)[2]!);
    expect(await brake()).toContain('3 of 30');
    // 0.1 % and 0.075 %. Resend tolerates 0.08 %.
    await sql`update private.hours set sent = 3000`;
    expect(await brake()).toContain('3 of 3000');
    await sql`update private.hours set sent = 4000`;
    expect(await brake()).toBeNull();
  });
});

describe('a probe', () => {
  const probe = 'delivered+probe-one@resend.dev';

  it('sees its own sign-up, how many welcomes are sent before it, and what holds them up', async () => {
    await join('sent@example.com');
    await accept('first@example.com', { caller: null });
    await queue();
    await accept(probe);
    await accept('later@example.com');
    await sql`
      update private.outbox set last_problem = 'TimeoutError'
      where member = (select id from private.members where email = 'later@example.com')`;
    expect(await inspect(probe)).toMatchObject({
      ...{ entries: 1, state: 'waiting', ahead: 1, held_up_by: 'TimeoutError' },
      ...{ refused_today: '0', over_ceiling_today: '0', brake: null },
    });
    expect(await inspect('nobody@example.com')).toMatchObject({ entries: 0, state: null });
  });

  it('removes everything that it created and that an earlier probe left behind, and nothing else', async () => {
    const others = ['delivered+probe-running@resend.dev', 'delivered+mine@resend.dev', 'name@example.com'];
    await join('delivered+probe-old@resend.dev', ...others, probe);
    await sql`update waitlist_emails set created_at = now() - interval '2 hours'
      where email in ('delivered+probe-old@resend.dev', 'delivered+mine@resend.dev', 'name@example.com')`;
    await sql`select forget_probe(${probe})`;
    await sql`select forget_probe('name@example.com')`;
    expect(await members()).toEqual(others.toSorted());
    expect(await sql`select from private.outbox`).toHaveLength(3);
  });
});
