import { describe, expect, it } from 'vitest';
import {
  accept,
  addressHashOf,
  entry,
  holdOpen,
  idOf,
  join,
  lease,
  leaseNow,
  leaseTurn,
  mailboxOf,
  members,
  messageOf,
  pass,
  queue,
  range,
  record,
  report,
  sendAll,
  somebodyWaits,
  sql,
  summarize,
  unsubscribe,
} from './sign-ups.ts';

const email = 'name@example.com';
const mailable = async () => (await sql`select list_members() as members`)[0]!['members'];
const events = () =>
  sql`select kind, delivery is not null as matched from private.delivery_events order by at`;

describe('an event', () => {
  it('counts once, even if it comes many times at once, and after a temporary bounce of the same message', async () => {
    await join(email);
    await report('bounced', email, { isFinal: false, id: 'temporary' });
    await Promise.all(Array.from({ length: 20 }, () => report('bounced', email)));
    expect(await events()).toHaveLength(2);
    expect(await sql`select sum(bounced)::int as bounced from private.hours`).toEqual([{ bounced: 1 }]);
    expect(await sql`select hash from private.never_mailed`).toEqual([{ hash: addressHashOf(email) }]);
  });

  it('finds its message if it arrives while the provider’s answer is being recorded', async () => {
    await accept(email);
    const held = (await leaseNow())!;
    const answer = await holdOpen((open) => record(held, 'sent', {}, open));
    const event = report('bounced', email, { message: messageOf(held) });
    expect(await somebodyWaits()).toBe(true);
    await answer.commit();
    await event;
    expect(await events()).toEqual([{ kind: 'bounced', matched: true }]);
  });

  it('is kept for a day when its message is unknown', async () => {
    await report('delivered', 'stranger@example.com');
    await join(email);
    await report('delivered', email);
    await sql`update private.delivery_events set at = now() - interval '25 hours'`;
    await lease();
    expect(await events()).toEqual([{ kind: 'delivered', matched: true }]);
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
      expect(await sql`select kind from private.delivery_events`).toEqual([{ kind: 'failed' }]);
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
      expect(await mailable()).toMatchObject([{ email }]);
    },
  );

  it('is the whole mailbox that complained, waiting welcomes and announcements too', async () => {
    await join(email);
    await accept(tagged, { mailbox });
    await report('complained', email);
    await queue();
    expect(await sendAll()).toEqual([]);
    expect(await summarize()).toMatchObject({ never_mailed: 2 });
    expect(await mailable()).toEqual([]);
  });

  it.each(['before', 'after'])(
    'holds when the event arrives %s the member leaves and signs up again',
    async (order) => {
      await join(email);
      const { provider_id: message } = (await entry(email))!;
      if (order === 'before') await report('complained', email);
      await unsubscribe(await idOf(email));
      if (order === 'after') await report('complained', email, { message });
      expect(await accept(email)).toBe(true);
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
});

describe('the brake', () => {
  const brake = async () => (await summarize()).brake;
  /** Signs up addresses whose welcomes are sent, and lets some of them bounce. */
  const send = async (count: number, { bounced = 0, name = 'bot', at = 'now' } = {}) => {
    await join(...range(count, name));
    await sql`
      insert into private.hours (hour, sent) values (date_trunc('hour', ${at}::text::timestamptz), ${count})
      on conflict (hour) do update set sent = hours.sent + excluded.sent`;
    await sql`update private.outbox set sent_at = ${at}::text::timestamptz where provider_id like 'message %' and sent_at > now() - interval '1 minute'`;
    for (const each of range(bounced, name)) await report('bounced', each);
  };

  it('slows welcomes down to one a minute, fair turns first, and stops neither them nor announcements', async () => {
    await send(60, { bounced: 9 });
    expect(await brake()).toBeNull();
    await report('bounced', range(10, 'bot')[9]!);
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

  it('counts an event where its message was sent, so that late bounces of a big day do not count today', async () => {
    await send(1000, { at: 'yesterday', name: 'old' });
    await send(20);
    for (const each of range(12, 'old')) await report('bounced', each);
    for (const each of range(30, 'bot')) await report('complained', each, { isFinal: false });
    expect(await brake()).toBeNull();
    await sql`delete from private.hours where sent = 1000`;
    for (const each of range(10, 'bot')) await report('bounced', each);
    expect(await brake()).toContain('10 of 20');
  });

  it('does not count test addresses of the provider, which anybody can sign up', async () => {
    const addresses = range(20, 'bot').map((each) => each.replace('@example.com', '@resend.dev'));
    for (const each of addresses) await accept(each);
    await sendAll();
    for (const each of addresses) await report(each.includes('1') ? 'bounced' : 'complained', each);
    expect(await sql`select from private.hours where sent + bounced + complained > 0`).toHaveLength(0);
  });

  it('reacts to ten complaints above what Resend tolerates, and ends after three days', async () => {
    await send(12);
    for (const each of range(9, 'bot')) await report('complained', each);
    expect(await brake()).toBeNull();
    await report('complained', range(10, 'bot')[9]!);
    expect(await brake()).toContain('10 of 12');
    await sql`update private.hours set sent = 12500`;
    expect(await brake()).toBeNull();
    await sql`update private.hours set sent = 12000`;
    expect(await brake()).not.toBeNull();
    await pass('3 days');
    expect(await brake()).toBeNull();
  });

  it('ends when the owner resumes, until there are new reasons', async () => {
    await send(20, { bounced: 10 });
    // Bounces of members who were removed still count.
    await sql`delete from waitlist_emails`;
    expect(await brake()).not.toBeNull();
    await sql`select resume_deliveries()`;
    expect(await brake()).toBeNull();
    await send(20, { bounced: 10, name: 'next' });
    expect(await brake()).toContain('10 of 40');
  });
});
