import { describe, expect, it } from 'vitest';
import { holdOpen, somebodyWaits } from './hold-open.ts';
import {
  accept,
  entry,
  join,
  lease,
  leaseNow,
  unsubscribe,
  neverMail,
  preview,
  queue,
  queued,
  record,
  report,
  sendAll,
  sql,
  stop,
  summarize,
  template,
  tokenOf,
} from './sign-ups.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => `name${index}@example.com`);

describe('queueing an announcement', () => {
  it('invites in waves, in the order in which members joined', async () => {
    await join('c@example.com', 'a@example.com', 'bounced@example.com', 'd@example.com', 'b@example.com');
    await neverMail('bounced@example.com');
    await sql`update waitlist_emails set created_at = now() - interval '1 hour' where email = 'd@example.com'`;
    expect(await preview('launch', { first: 2 })).toMatchObject({ recipients: '2' });
    expect(await queue('launch', { first: 2 })).toEqual({ outcome: 'queued', queued: 2 });
    expect(await queued()).toEqual(['c@example.com', 'd@example.com']);
    expect(await queue('launch', { first: 1 })).toMatchObject({ queued: 1 });
    expect(await queued()).toEqual(['a@example.com', 'c@example.com', 'd@example.com']);
    // Who is queued already is not skipped.
    await neverMail('c@example.com');
    expect(await preview('launch', { first: 9 })).toMatchObject({ recipients: '1', never_mailed: '1' });
    expect(await queue('launch', { first: 9 })).toMatchObject({ queued: 1 });
  });

  it('adds each member once, even when it happens three times at once', async () => {
    await join(...range(50));
    const outcomes = await Promise.all([1, 2, 3].map(() => queue('launch', { first: 20 })));
    const counts = outcomes.map((outcome) => outcome!['queued']).sort((a, b) => a - b);
    expect(counts).toEqual([10, 20, 20]);
    expect(await queued()).toEqual(range(50).sort());
  });

  it('skips a member who is leaving at that moment, and delays nobody who signs up', async () => {
    await join('a@example.com', 'b@example.com');
    const leaving = await holdOpen((open) => open`select unsubscribe_member(${tokenOf('a@example.com')})`);
    const queueing = queue();
    expect(await somebodyWaits()).toBe(true);
    await accept('b@example.com');
    await accept('c@example.com');
    await leaving.commit();
    expect(await queueing).toEqual({ outcome: 'queued', queued: 1 });
    expect(await queued()).toEqual(['b@example.com']);
  });

  it('deletes the message of a member who leaves while it is queued', async () => {
    await join('a@example.com', 'b@example.com');
    const queueing = await holdOpen((open) => open`select queue_announcement('launch', ${template})`);
    const leaving = unsubscribe(tokenOf('a@example.com'));
    expect(await somebodyWaits()).toBe(true);
    await queueing.commit();
    expect(await leaving).toBe(true);
    expect(await sendAll()).toEqual(['launch to b@example.com']);
  });
});

describe('the delivery of an announcement', () => {
  it('comes after every welcome, with the oldest announcement first', async () => {
    await join('a@example.com');
    await queue('older');
    await queue('newer');
    await accept('b@example.com');
    await accept('c@example.com');
    expect(await sendAll()).toEqual([
      ...['welcome to b@example.com', 'welcome to c@example.com'],
      ...['older to a@example.com', 'newer to a@example.com'],
    ]);
  });

  it('waits until the member has received the welcome, without delaying others', async () => {
    await accept('a@example.com');
    await record((await leaseNow())!, 'failed', { problem: 'TimeoutError' });
    await join('b@example.com');
    await queue();
    expect(await sendAll()).toEqual(['launch to b@example.com']);
    await sql`update private.outbox set next_try_at = now()`;
    expect(await sendAll()).toEqual(['welcome to a@example.com', 'launch to a@example.com']);
  });

  const signUp = async (...emails: string[]) => {
    for (const email of emails) await accept(email);
  };

  it.each([
    ['with the welcome sent', join],
    ['with the welcome waiting, which goes first', signUp],
  ])('goes to the others while one member is leaving, %s', async (_, add) => {
    await add('a@example.com', 'b@example.com');
    await queue();
    const leaving = await holdOpen((open) => open`select unsubscribe_member(${tokenOf('a@example.com')})`);
    const leased = await Promise.race([leaseNow(), somebodyWaits()]);
    await leaving.commit();
    expect(leased).toMatchObject({ email: 'b@example.com' });
  });

  it('can be stopped and resumed at any moment', async () => {
    expect(await stop()).toBe(false);
    await join('a@example.com', 'b@example.com');
    await queue();
    const held = (await leaseNow())!;
    expect(await stop()).toBe(true);
    expect(await leaseNow()).toBeUndefined();
    expect(await summarize()).toMatchObject({ is_stopped: true, waiting: '2' });
    await accept('c@example.com');
    expect(await sendAll()).toEqual(['welcome to c@example.com']);
    // The message that was being sent when it stopped.
    await record(held, 'sent');
    expect(await stop(false)).toBe(true);
    expect(await sendAll()).toHaveLength(1);
    expect(await summarize()).toMatchObject({ is_stopped: false, waiting: '0', sent: '2' });
  });

  it('returns the wait until the next message, and ignores stopped announcements', async () => {
    await join('a@example.com');
    await queue('stopped');
    await queue();
    await stop(true, 'stopped');
    await record((await leaseNow())!, 'failed', { problem: 'TimeoutError' });
    await sql`update private.outbox set next_try_at = now() + interval '1 hour' where announcement = 'launch'`;
    expect(Math.abs((await lease())!.wait - 3_600_000)).toBeLessThan(60_000);
  });

  it('skips members who left, bounced or complained since it was queued', async () => {
    await join('left@example.com', 'bounced@example.com', 'a@example.com');
    await queue();
    await unsubscribe(tokenOf('left@example.com'));
    await report('bounced', 'bounced@example.com');
    expect(await sendAll()).toEqual(['launch to a@example.com']);
    expect(await summarize()).toMatchObject({ sent: '1', refused: '1', waiting: '0' });
    expect(await sql`select retry_outbox() as retried`).toEqual([{ retried: 0 }]);
    expect(await sql`select members, never_mailed from summarize_waitlist()`).toEqual([
      { members: '2', never_mailed: '1' },
    ]);
  });

  it('shows bounces and complaints once, in the figures of the announcement and among what came back', async () => {
    await join('a@example.com', 'b@example.com');
    await queue();
    await sendAll();
    await report('bounced', 'a@example.com', { problem: 'why' });
    await report('complained', 'b@example.com');
    await report('bounced', 'b@example.com');
    await report('complained', 'b@example.com', { id: 'another event' });
    expect(await sql`select email, announcement, state from list_returned() where email like 'a%'`).toEqual([
      { email: 'a@example.com', announcement: 'launch', state: 'bounced' },
    ]);
    await queue('another');
    const [summary] = await sql`select announcements from summarize_waitlist()`;
    expect(summary!['announcements']).toMatchObject([
      { name: 'launch', sent: 2, bounced: 2, complained: 1, is_stopped: false },
      { name: 'another', sent: 0, bounced: 0, complained: 0 },
    ]);
  });
});

describe('a test message', () => {
  const test = async (email = ' Owner@example.com') =>
    (await sql`select queue_test(${template}, ${email}) as id`)[0]!['id'] as string;
  const find = async (id: string) => (await sql`select * from find_test(${id})`)[0];

  it('is sent before everything else, appears in no figures whatever happens to it, and leaves nothing behind', async () => {
    await join('a@example.com');
    await queue();
    await accept('b@example.com');
    const before = await sql`select * from summarize_waitlist()`;
    const id = await test();
    expect(await find(id)).toEqual({ state: 'waiting', problem: null });
    expect(await sql`select * from summarize_waitlist()`).toEqual(before);
    const held = (await leaseNow())!;
    expect(held).toMatchObject({ id, email: 'owner@example.com' });
    await record(held, 'refused', { problem: 'Resend answered 422' });
    expect(await find(id)).toEqual({ state: 'refused', problem: 'Resend answered 422' });
    expect(await sql`select from list_outbox() where state = 'refused'`).toHaveLength(0);
    expect(await sql`select retry_outbox() as retried`).toEqual([{ retried: 0 }]);
    await record(held, 'sent');
    await report('bounced', 'owner@example.com', { message: `message ${id}`, mailbox: null });
    expect(await sql`select from private.delivery_events where delivery = ${id}`).toHaveLength(1);
    expect(await sql`select from list_returned()`).toHaveLength(0);
    expect(await sql`select * from summarize_waitlist()`).toEqual(before);
    await sql`select forget_test(${id})`;
    expect(await find(id)).toBeUndefined();
    expect(await sql`select * from summarize_waitlist()`).toEqual(before);
  });

  it('has the unsubscribe link of the member, or one that unsubscribes nobody', async () => {
    await join('owner@example.com');
    const { member_id } = (await entry('owner@example.com'))!;
    await test();
    expect(await leaseNow()).toMatchObject({ member_id });
    await test('stranger@example.com');
    const first = (await leaseNow())!;
    expect(first.member_id).not.toBe(member_id);
    // The same for the next attempt, because the provider compares the messages.
    await sql`update private.outbox set leased_until = now() - interval '1 second' where id = ${first.id}`;
    expect(await leaseNow()).toMatchObject({ id: first.id, member_id: first.member_id });
  });

  it('is not sent to a member who bounced or complained', async () => {
    await join('owner@example.com');
    await neverMail('owner@example.com');
    const id = await test();
    expect(await leaseNow()).toBeUndefined();
    expect(await find(id)).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('never mailed again'),
    });
  });

  it('is deleted by a later test if it was interrupted, but announcements and new tests stay', async () => {
    await join('a@example.com');
    await queue();
    const [old, recent] = [await test(), await test()];
    await sql`update private.outbox set accepted_at = now() - interval '2 hours' where id <> ${recent}`;
    await test();
    expect(await find(old)).toBeUndefined();
    expect(await find(recent)).toBeDefined();
    expect(await summarize()).toMatchObject({ waiting: '1' });
  });
});
