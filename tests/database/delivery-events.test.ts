import { describe, expect, it } from 'vitest';
import {
  accept,
  addMembers,
  addressHashOf,
  entry,
  holdOpen,
  idOf,
  join,
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
  takeStock,
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
    expect(await sql`select hash from private.never_mailed`).toEqual([{ hash: addressHashOf(email) }]);
  });

  it('finds its message if it arrives while the provider’s answer is being recorded', async () => {
    await accept(email);
    const held = (await leaseNow())!;
    const answer = await holdOpen((open) => record(held, 'sent', {}, open));
    const event = report('bounced', email, { message: messageOf(held) });
    const isWaiting = await somebodyWaits();
    await answer.commit();
    await event;
    expect(isWaiting, 'the event waits for the answer').toBe(true);
    expect(await events()).toEqual([{ kind: 'bounced', matched: true }]);
  });

  it('is kept for two days when its message is unknown', async () => {
    await report('delivered', 'stranger@example.com');
    await join(email);
    await report('delivered', email);
    await sql`update private.delivery_events set at = now() - interval '47 hours'`;
    await takeStock();
    expect(await events()).toHaveLength(2);
    await sql`update private.delivery_events set at = at - interval '2 hours'`;
    await takeStock();
    expect(await events()).toEqual([{ kind: 'delivered', matched: true }]);
  });
});

describe('a message that the provider accepted and then failed to send', () => {
  it.each(['after', 'before'])('is sent again in an hour (event %s the answer)', async (order) => {
    await accept(email);
    const held = (await leaseNow())!;
    const fail = () => report('failed', email, { message: messageOf(held), problem: 'reached_daily_quota' });
    if (order === 'before') await fail();
    await record(held, 'sent');
    if (order === 'after') await fail();
    expect(await entry(email)).toMatchObject({ state: 'waiting', sent_at: null });
    expect((await entry(email))!['last_problem']).toContain('reached_daily_quota');
    expect(await leaseNow()).toBeNull();
    await pass('59 minutes');
    expect(await leaseNow()).toBeNull();
    await pass('2 minutes');
    expect((await leaseNow())!.id).not.toBe(held.id);
    expect(await sql`select kind from private.delivery_events`).toEqual([{ kind: 'failed' }]);
    expect(await sql`select from private.never_mailed`).toHaveLength(0);
  });

  it('is put back once for each message of the provider, three times in all', async () => {
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
  });

  it('is not sent again when it was delivered all the same, or when the member has left', async () => {
    await join(email, 'left@example.com');
    const sent = await sql`select provider_id as message from private.outbox`;
    await report('delivered', email);
    await unsubscribe(await idOf('left@example.com'));
    for (const { message } of sent) await report('failed', email, { message, id: message });
    const states = await sql`select state from private.outbox order by state`;
    expect(states).toEqual([{ state: 'sent' }, { state: 'refused' }]);
  });
});

describe('never mailed again', () => {
  const tagged = 'name+tag@example.com';
  const mailbox = mailboxOf(email);

  it.each(['bounced', 'suppressed'] as const)('is only the address that %s', async (kind) => {
    await accept(tagged, { mailbox });
    await sendAll();
    await report(kind, tagged);
    await accept(email);
    expect(await sendAll()).toEqual([`welcome to ${email}`]);
    await queue();
    expect(await sendAll()).toEqual([`launch to ${email}`]);
    expect(await mailable()).toMatchObject([{ email }]);
  });

  it('is the whole mailbox that complained, waiting welcomes and announcements too', async () => {
    await join(email);
    await accept(tagged, { mailbox });
    await report('complained', email);
    await queue();
    expect(await sendAll()).toEqual([]);
    expect(await summarize()).toMatchObject({ never_mailed: 2 });
    expect(await mailable()).toEqual([]);
  });

  it('is also a member whose hashes were made with a lost secret, even before the provider’s answer', async () => {
    await accept(email);
    await sql`update private.members set mailbox_hash = 'lost'`;
    const held = (await leaseNow())!;
    await report('complained', email, { message: messageOf(held) });
    await record(held, 'sent');
    expect(await mailable()).toEqual([]);
  });

  it.each(['before', 'after'])('holds when the event comes %s the member leaves', async (order) => {
    await join(email);
    const { provider_id: message } = (await entry(email))!;
    if (order === 'before') await report('complained', email);
    await unsubscribe(await idOf(email));
    if (order === 'after') await report('complained', email, { message });
    expect(await accept(email)).toBe('accepted');
    expect(await members()).toEqual([email]);
    // It uses up its turn, so that nobody can tell from the gap.
    expect(await leaseTurn()).toEqual({ id: null, wait: expect.any(Number) });
    expect(await leaseTurn()).toBeNull();
    expect((await entry(email))!['last_problem']).toContain('never mailed');
    expect(await sql`select * from private.never_mailed`).toEqual([{ hash: mailbox }]);
  });
});

describe('the brake', () => {
  const brake = async () => {
    await takeStock();
    return (await summarize()).brake;
  };
  /** Signs up addresses whose welcomes are sent, and lets some of them come back. */
  const send = async (count: number, { bounced = 0, complained = 0, name = 'bot' } = {}) => {
    const emails = range(count, name);
    await addMembers(emails, { joined: new Date(Date.now() - 3_600_000).toISOString() });
    for (const each of emails.slice(0, bounced)) await report('bounced', each);
    for (const each of emails.slice(0, complained)) await report('complained', each);
  };

  it('slows welcomes down to a tenth of the pace, fair turns first, and stops neither them nor announcements', async () => {
    await send(60, { bounced: 9 });
    expect(await brake()).toBeNull();
    await report('bounced', range(10, 'bot')[9]!);
    expect(await brake()).toContain('10 of 60');
    for (const name of ['first', 'second']) await accept(`${name}@example.com`, { caller: 'one' });
    await accept('visitor@example.com');
    await queue();
    const welcomes: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      welcomes.push((await leaseTurn())!.email);
      // Announcements go on meanwhile, and hold up no welcome.
      await sql`update private.pace set next_welcome_at = next_welcome_at - interval '2 seconds'`;
      expect((await leaseTurn())!.email).toMatch(/^bot/);
      const [pace] = await sql`
        select ceil(extract(epoch from next_welcome_at - now()))::int as seconds from private.pace`;
      expect(pace).toEqual({ seconds: 3 });
      await sql`update private.pace set next_welcome_at = now()`;
    }
    expect(welcomes).toEqual(['first@example.com', 'visitor@example.com', 'second@example.com']);
  });

  it('counts each bounce on the day its message was sent, even several of one mailbox', async () => {
    await send(12, { name: 'old' });
    await pass('3 days');
    for (const each of range(12, 'old')) await report('bounced', each);
    await send(20);
    for (const each of range(30, 'bot')) await report('complained', each, { isFinal: false });
    expect(await brake()).toBeNull();
    for (const each of range(10, 'bot')) await report('bounced', each);
    await sql`update private.outbox set mailbox_hash = 'one' where true`;
    expect(await brake()).toContain('10 of 20');
    await pass('3 days');
    expect(await brake()).toBeNull();
  });

  it('counts one complaint of a mailbox, also of members who have left, and nothing about test addresses of the provider', async () => {
    await send(12, { complained: 12, name: 'spelling' });
    await sql`update private.outbox set mailbox_hash = 'one' where true`;
    const tests = range(20).map((each) => each.replace('@example.com', '@resend.dev'));
    for (const each of tests) await accept(each);
    await sendAll();
    for (const each of tests) await report(each.includes('1') ? 'bounced' : 'complained', each);
    expect(await brake()).toBeNull();
    await send(12);
    await sql`delete from waitlist_emails`;
    for (const each of range(12, 'bot')) await report('complained', each);
    expect(await brake()).toContain('13 of 24');
  });

  it('reacts to ten complaints above what Resend tolerates', async () => {
    await send(12, { complained: 9 });
    expect(await brake()).toBeNull();
    await report('complained', range(10, 'bot')[9]!);
    expect(await brake()).toContain('10 of 12');
    await sql`
      insert into private.outbox (member, state, sent_at)
      select gen_random_uuid(), 'sent', now() from generate_series(1, 12488)`;
    expect(await brake()).toBeNull();
  });

  it('ends when the owner resumes, until there are new reasons', async () => {
    await send(20, { bounced: 10 });
    expect(await brake()).not.toBeNull();
    await sql`select resume_deliveries()`;
    expect(await brake()).toBeNull();
    await send(20, { bounced: 10, name: 'next' });
    expect(await brake()).toContain('10 of 40');
  });
});
