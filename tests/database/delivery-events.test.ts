import { describe, expect, it } from 'vitest';
import { holdOpen, somebodyWaits } from './hold-open.ts';
import {
  accept,
  addressHashOf,
  entry,
  idOf,
  join,
  lease,
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
  retry,
  sendAll,
  sql,
} from './sign-ups.ts';

const email = 'name@example.com';
/** What the owner reads about the message to an address, oldest first. */
const tell = async (address: string) => {
  const [story] = await sql<{ history: { what: string }[] }[]>`select history from find_member(${address})`;
  return story!.history.map(({ what }) => what);
};
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
    expect(await tell('before@example.com')).toEqual(['joined', 'welcome sent', 'welcome delivered']);
    expect(await sql`select * from list_returned()`).toEqual([]);

    const held = (await leaseNow())!;
    const answer = await holdOpen(
      (open) =>
        open`select record_delivery(${held.id}, ${held.lease}, 'sent', ${messageOf(held)}, null, null)`,
    );
    const event = report('bounced', email, { message: messageOf(held) });
    expect(await somebodyWaits()).toBe(true);
    await answer.commit();
    await event;
    expect(await tell(email)).toEqual(['joined', 'welcome sent', 'welcome bounced']);
  });

  it('is kept for a day when its message is unknown', async () => {
    await report('delivered', 'stranger@example.com');
    await join(email);
    await report('delivered', email);
    await sql`update private.delivery_events set received_at = now() - interval '25 hours'`;
    await lease();
    expect(await events()).toEqual([{ kind: 'delivered', matched: true }]);
  });

  it('of a permanent bounce counts after a temporary one of the same message', async () => {
    await join(email);
    for (const isFinal of [false, true, true])
      await report('bounced', email, { isFinal, id: `final: ${isFinal}` });
    expect(await sql`select sum(bounced)::int as bounced from private.hours`).toEqual([{ bounced: 1 }]);
    expect(await sql`select hash from private.never_mailed`).toEqual([{ hash: addressHashOf(email) }]);
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

  it('is put back once for each message of the provider, three times in all, and does not count as sent', async () => {
    await accept(email);
    const ids = new Set<string>();
    for (let round = 1; round <= 4; round++) {
      await sql`update private.outbox set next_try_at = now()`;
      const held = (await leaseNow())!;
      ids.add(held.id);
      await record(held, 'sent');
      for (const id of ['once', 'again'])
        await report('failed', email, { message: messageOf(held), id: id + round });
    }
    expect(ids.size).toBe(4);
    expect(await entry(email)).toMatchObject({ state: 'refused' });
    expect(await sql`select sum(sent)::int as sent from private.hours`).toEqual([{ sent: 0 }]);
  });

  it('is not sent again when it was delivered all the same', async () => {
    await join(email);
    const { provider_id } = (await entry(email))!;
    await report('delivered', email);
    await report('failed', email, { message: provider_id });
    expect(await entry(email)).toMatchObject({ state: 'sent' });
  });
});

describe('never mailed again', () => {
  const tagged = 'name+tag@example.com';
  const mailbox = mailboxOf(email);

  it.each(['bounced', 'suppressed'] as const)(
    'is only the address that %s, because a tag can be invented',
    async (kind) => {
      await accept(tagged, { mailbox });
      await sendAll();
      await report(kind, tagged);
      await accept(email);
      expect(await sendAll()).toEqual([`welcome to ${email}`]);
      await queue();
      expect(await sendAll()).toEqual([`launch to ${email}`]);
      expect(await sql`select email from list_members() where not is_never_mailed`).toEqual([{ email }]);
    },
  );

  it('is the whole mailbox that complained, waiting welcomes and announcements too', async () => {
    await join(email);
    await accept(tagged, { mailbox });
    await report('complained', email);
    await queue();
    expect(await sendAll()).toEqual([]);
    expect(await sql`select never_mailed::int from summarize_waitlist()`).toEqual([{ never_mailed: 2 }]);
    expect(await sql`select email from list_members() where not is_never_mailed`).toEqual([]);
  });

  it.each(['before', 'after'])(
    'holds when the event arrives %s the member leaves and signs up again',
    async (order) => {
      await join(email);
      const { provider_id: message } = (await entry(email))!;
      if (order === 'before') await report('complained', email);
      await unsubscribe(await idOf(email));
      if (order === 'after') await report('complained', email, { message });
      expect(await accept(email)).toEqual({ outcome: 'accepted', retry_after: null });
      expect(await members()).toEqual([email]);
      // It uses up its turn, so that nobody can tell from the gap.
      const turn = await leaseTurn();
      expect(turn).toMatchObject({ id: null });
      expect(turn!.wait).toBeGreaterThan(0);
      expect(await leaseTurn()).toBeUndefined();
      expect((await entry(email))!['last_problem']).toContain('never mailed');
      expect(await sql`select * from private.never_mailed`).toEqual([{ hash: mailbox }]);
    },
  );

  it('finds the member of a known message whatever the hash of the event is', async () => {
    await join(email, 'fan@example.com');
    const messages = await Promise.all(
      [email, 'fan@example.com'].map(async (each) => (await entry(each))!['provider_id']),
    );
    await report('bounced', 'hashed with another secret', { message: messages[0] });
    await report('complained', 'hashed with another secret', { message: messages[1], id: 'complaint' });
    const known = (await sql`select hash from private.never_mailed`).map(({ hash }) => hash);
    expect(known).toEqual(expect.arrayContaining([addressHashOf(email), mailboxOf('fan@example.com')]));
  });

  it('ends when the owner forgives the member', async () => {
    await accept(email);
    for (const kind of ['bounced', 'complained'] as const) await report(kind, email);
    await sql`update private.outbox set state = 'unknown'`;
    expect(await retry(email, true)).toBe(0);
    expect(await sql`select forgive(${email}) as forgiven`).toEqual([{ forgiven: true }]);
    expect(await sql`select forgive(${email}) as forgiven`).toEqual([{ forgiven: false }]);
    expect(await retry(email, true)).toBe(1);
    expect(await sendAll()).toEqual([`welcome to ${email}`]);
    expect(await sql`select from private.never_mailed`).toHaveLength(0);
  });
});

describe('the brake', () => {
  const many = (count: number, name = 'bot') =>
    Array.from({ length: count }, (_, index) => `${name}${index}@example.com`);
  const brake = async () => (await sql`select brake from summarize_waitlist()`)[0]!['brake'];
  /** Signs up addresses whose welcomes are sent, and lets some of them bounce. */
  const send = async (count: number, { bounced = 0, name = 'bot', at = 'now' } = {}) => {
    await join(...many(count, name));
    await sql`
      insert into private.hours (hour, sent) values (date_trunc('hour', ${at}::text::timestamptz), ${count})
      on conflict (hour) do update set sent = hours.sent + excluded.sent`;
    await sql`update private.outbox set sent_at = ${at}::text::timestamptz where provider_id like 'message %' and sent_at > now() - interval '1 minute'`;
    for (const each of many(bounced, name)) await report('bounced', each);
  };

  it('slows welcomes down to one a minute, fair turns first, and stops neither them nor announcements', async () => {
    await send(60, { bounced: 9 });
    expect(await brake()).toBeNull();
    await report('bounced', many(10)[9]!);
    expect(await brake()).toContain('10 of 60');
    for (const name of ['first', 'second']) await accept(`${name}@example.com`, { caller: 'one' });
    for (const name of ['visitor', 'known']) await accept(`${name}@example.com`);
    await accept('known@example.com', { caller: 'place' });
    await queue();
    const minutes: (string | null)[] = [];
    for (let minute = 0; minute < 5; minute++) {
      const leased = await leaseTurn();
      minutes.push(leased!.email);
      // Announcements go on meanwhile.
      expect((await leaseTurn())!.email).toMatch(/^bot/);
      await sql`update private.pace set next_welcome_at = next_welcome_at - interval '1 minute'`;
    }
    const firstTurns = ['first@example.com', 'visitor@example.com', 'known@example.com', null];
    expect(minutes).toEqual([...firstTurns, 'second@example.com']);
  });

  it('also lets one welcome a minute through while no caller is known', async () => {
    await send(20, { bounced: 10 });
    for (const name of ['a', 'b']) await accept(`${name}@example.com`, { caller: null });
    expect((await leaseNow())!.email).toBe('a@example.com');
    expect((await lease())!.wait).toBeGreaterThan(55_000);
    await sql`update private.pace set next_welcome_at = next_welcome_at - interval '1 minute'`;
    expect((await leaseNow())!.email).toBe('b@example.com');
  });

  it('counts an event where its message was sent, so that late bounces of a big day do not count today', async () => {
    await send(1000, { at: 'yesterday', name: 'old' });
    await send(20);
    for (const each of many(12, 'old')) await report('bounced', each);
    for (const each of many(30)) await report('complained', each, { isFinal: false });
    expect(await brake()).toBeNull();
    await sql`delete from private.hours where sent = 1000`;
    for (const each of many(10)) await report('bounced', each);
    expect(await brake()).toContain('10 of 20');
  });

  it('does not count test addresses of the provider, which anybody can sign up', async () => {
    const addresses = many(20).map((each) => each.replace('@example.com', '@resend.dev'));
    for (const each of addresses) await accept(each);
    await sendAll();
    for (const each of addresses) await report(each.includes('1') ? 'bounced' : 'complained', each);
    expect(await sql`select from private.hours where sent + bounced + complained > 0`).toHaveLength(0);
  });

  it('reacts to ten complaints above what Resend tolerates, and ends after three days', async () => {
    await send(12);
    for (const each of many(9)) await report('complained', each);
    expect(await brake()).toBeNull();
    await report('complained', many(10)[9]!);
    expect(await brake()).toContain('10 of 12');
    await sql`update private.hours set sent = 12500`;
    expect(await brake()).toBeNull();
    await sql`update private.hours set sent = 12000`;
    expect(await brake()).not.toBeNull();
    await pass('3 days');
    expect(await brake()).toBeNull();
  });

  it('ends when the owner resumes, until there are new reasons, and its figures stay', async () => {
    await send(20, { bounced: 10 });
    // Bounces of members who were removed still count.
    await sql`delete from waitlist_emails`;
    expect(await brake()).not.toBeNull();
    await sql`select resume_deliveries()`;
    expect(await brake()).toBeNull();
    expect(await sql`select sum(bounced)::int as bounced from private.hours`).toEqual([{ bounced: 10 }]);
    await sql`update private.pace set brake_lifted_at = now() - interval '2 hours'`;
    await send(20, { bounced: 10, name: 'next' });
    expect(await brake()).toContain('20 of 40');
  });
});
