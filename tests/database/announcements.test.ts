import { describe, expect, it } from 'vitest';
import { holdOpen, somebodyWaits } from './hold-open.ts';
import {
  accept,
  idOf,
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
  retry,
  sendAll,
  sql,
  stop,
  summarize,
  template,
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
    // A wave that is run again after a lost answer invites nobody else.
    expect(await queue('launch', { first: 2 })).toMatchObject({ queued: 0 });
    expect(await queue('launch', { first: 3 })).toMatchObject({ queued: 1 });
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
    expect(counts).toEqual([0, 0, 20]);
    expect(await queued()).toEqual(range(20).sort());
  });

  it('waits for nobody who is leaving at that moment, and skips them', async () => {
    await join('a@example.com', 'b@example.com');
    const id = await idOf('a@example.com');
    const leaving = await holdOpen((open) => open`select unsubscribe_member(${id!})`);
    expect(await queue()).toEqual({ outcome: 'queued', queued: 1 });
    await leaving.commit();
    expect(await queued()).toEqual(['b@example.com']);
  });

  it('deletes the message of a member who leaves while it is queued', async () => {
    await join('a@example.com', 'b@example.com');
    const id = await idOf('a@example.com');
    const queueing = await holdOpen((open) => open`select queue_announcement('launch', ${template})`);
    const leaving = unsubscribe(id);
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

  it('waits while the welcome must be sent again, because nobody knows whether the address is right', async () => {
    await join('a@example.com', 'b@example.com');
    await queue();
    await report('failed', 'a@example.com', { problem: 'reached_daily_quota' });
    expect(await sendAll()).toEqual(['launch to b@example.com']);
    await sql`update private.outbox set next_try_at = now() where announcement is null`;
    expect(await sendAll()).toEqual(['welcome to a@example.com']);
    await sql`update private.outbox set next_try_at = now()`;
    expect(await sendAll()).toEqual(['launch to a@example.com']);
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
    const id = await idOf('a@example.com');
    const leaving = await holdOpen((open) => open`select unsubscribe_member(${id!})`);
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
    await unsubscribe(await idOf('left@example.com'));
    await report('bounced', 'bounced@example.com');
    expect(await sendAll()).toEqual(['launch to a@example.com']);
    expect(await summarize()).toMatchObject({ sent: '1', refused: '1', waiting: '0' });
    expect(await retry()).toBe(0);
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

describe('an announcement stops itself', () => {
  /** Joins members, and queues an announcement for them. */
  const start = async (count: number) => {
    await join(...range(count));
    await queue();
  };
  const status = async () =>
    (await sql`select is_stopped, stopped_because from private.announcements`)[0] as Record<string, unknown>;
  const stopped = (reason: string) => ({
    is_stopped: true,
    stopped_because: expect.stringContaining(reason),
  });
  const running = { is_stopped: false, stopped_because: null };

  it('when its own messages come back too often, and goes on with fresh figures when the owner resumes it', async () => {
    await start(30);
    await queue('other');
    const [brake] = await sql`select private.describe_brake() as brake`;
    for (let index = 0; index < 12; index++) await record((await leaseNow())!, 'sent');
    const sent = await sql`
      select provider_id, email from private.outbox join private.members on members.id = member
      where announcement = 'launch' and outbox.state = 'sent' order by sent_at`;
    const bounce = ({ email, provider_id: message }: Record<string, string>) =>
      report('bounced', email!, { message });
    for (const each of sent.slice(0, 9)) await bounce(each);
    expect(await status()).toEqual(running);
    await bounce(sent[9]!);
    expect(await sql`select is_stopped, stopped_because from private.announcements order by name`).toEqual([
      stopped('10 of 12'),
      running,
    ]);
    // Nobody else is slowed down.
    expect(await sql`select private.describe_brake() as brake`).toEqual([brake]);
    await stop(false);
    // A late bounce of what was sent before.
    await bounce(sent[10]!);
    expect(
      (await sql`select bounced, stopped_because from private.announcements where name = 'launch'`)[0],
    ).toEqual({
      bounced: 0,
      stopped_because: null,
    });
  });

  it('when three in a row are rejected, which delays no welcome and refuses nobody', async () => {
    await start(6);
    const outcomes = ['rejected', 'rejected', 'sent', 'rejected', 'rejected', 'rejected'];
    for (const [index, outcome] of outcomes.entries()) {
      expect(await status(), String(index)).toEqual(running);
      await record((await leaseNow())!, outcome, { problem: 'Resend answered 451' });
    }
    expect(await status()).toEqual(stopped('3 messages in a row were rejected'));
    expect(await summarize()).toMatchObject({ sent: '1', waiting: '5', refused: '0' });
    await accept('visitor@example.com');
    expect((await leaseNow())!).toMatchObject({ email: 'visitor@example.com', wait: 500 });
  });
});
