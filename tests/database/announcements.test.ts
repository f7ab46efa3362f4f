import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';
import {
  accept,
  entry,
  join,
  lease,
  leaseNow,
  leave,
  mailboxOf,
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

const neverMail = (...emails: string[]) =>
  sql`insert into private.never_mailed (mailbox_hash) select unnest(${emails.map(mailboxOf)}::text[])`;
const range = (count: number) => Array.from({ length: count }, (_, index) => `name${index}@example.com`);

describe('queueing an announcement', () => {
  it('adds one message for each member who may be mailed, as many as the preview said', async () => {
    await join('a@example.com', 'b@example.com', 'bounced@example.com');
    await accept('new@example.com');
    await neverMail('bounced@example.com');
    expect(await preview()).toEqual({
      ...{ recipients: '3', queued_before: '0', never_mailed: '1', waiting_welcomes: '1', per_second: 2 },
      ...{ is_changed: false, is_stopped: false },
    });
    expect(await queue()).toEqual({ outcome: 'queued', queued: 3 });
    expect(await queued()).toEqual(['a@example.com', 'b@example.com', 'new@example.com']);
    expect(await preview()).toMatchObject({ recipients: '0', queued_before: '3', never_mailed: '1' });
  });

  it('adds only members who joined since, when it is repeated', async () => {
    await join('b@example.com');
    await queue();
    await sendAll();
    expect(await queue()).toEqual({ outcome: 'queued', queued: 0 });
    await join('a@example.com', 'c@example.com');
    expect(await queue()).toEqual({ outcome: 'queued', queued: 2 });
    expect(await sendAll()).toEqual(['launch to a@example.com', 'launch to c@example.com']);
  });

  it('invites in waves, in the order in which members joined', async () => {
    await join('c@example.com', 'a@example.com', 'bounced@example.com', 'd@example.com', 'b@example.com');
    await neverMail('bounced@example.com');
    expect(await preview('launch', { first: 2 })).toMatchObject({ recipients: '2' });
    expect(await queue('launch', { first: 2 })).toEqual({ outcome: 'queued', queued: 2 });
    expect(await queued()).toEqual(['a@example.com', 'c@example.com']);
    expect(await queue('launch', { first: 1 })).toMatchObject({ queued: 1 });
    expect(await queued()).toEqual(['a@example.com', 'c@example.com', 'd@example.com']);
    expect(await preview('launch', { first: 9 })).toMatchObject({ recipients: '1' });
    expect(await queue('launch', { first: 9 })).toMatchObject({ queued: 1 });
  });

  it.each([null, 20])(
    'adds each member once, even when it happens three times at once (first: %s)',
    async (first) => {
      await join(...range(50));
      const outcomes = await Promise.all([1, 2, 3].map(() => queue('launch', { first })));
      const counts = outcomes.map((outcome) => outcome!['queued']).sort((a, b) => a - b);
      expect(counts).toEqual(first ? [10, 20, 20] : [0, 0, 50]);
      expect(await queued()).toEqual(range(50).sort());
    },
  );

  it('queues nothing when the message has changed, and says so', async () => {
    await join('a@example.com');
    await queue();
    await join('b@example.com');
    const message = template.replace('live', 'open');
    expect(await preview('launch', { message })).toMatchObject({ is_changed: true, recipients: '1' });
    expect(await queue('launch', { message })).toEqual({ outcome: 'changed', queued: 0 });
    expect(await queued()).toEqual(['a@example.com']);
  });

  it.each(['{}', '{"subject":"x","html":"x"}', 'no JSON'])(
    'refuses %s, which is not a message',
    async (message) => {
      await expect(queue('launch', { message })).rejects.toThrow();
      expect(await summarize()).toBeUndefined();
    },
  );

  it('skips a member who is leaving at that moment, and delays nobody who signs up', async () => {
    await join('a@example.com', 'b@example.com');
    const leaving = await holdOpen(sql, (open) => open`select leave_waitlist(${tokenOf('a@example.com')})`);
    const queueing = queue();
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await accept('b@example.com');
    await accept('c@example.com');
    await leaving.commit();
    expect(await queueing).toEqual({ outcome: 'queued', queued: 1 });
    expect(await queued()).toEqual(['b@example.com']);
  });

  it('deletes the message of a member who leaves while it is queued', async () => {
    await join('a@example.com', 'b@example.com');
    const queueing = await holdOpen(sql, (open) => open`select queue_announcement('launch', ${template})`);
    const leaving = leave(tokenOf('a@example.com'));
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await queueing.commit();
    expect(await leaving).toBe(true);
    expect(await sendAll()).toEqual(['launch to b@example.com']);
  });
});

describe('the delivery of an announcement', () => {
  it('has the same shape as that of a welcome', async () => {
    await accept('a@example.com');
    await queue();
    const { member_id } = (await entry('a@example.com'))!;
    const welcome = (await leaseNow())!;
    await record(welcome, 'sent');
    const news = (await leaseNow())!;
    for (const leased of [welcome, news]) expect(leased).toMatchObject({ email: 'a@example.com', member_id });
    expect(await sql`select message from find_template(${news.template})`).toEqual([{ message: template }]);
  });

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
    const turns = [];
    for (let index = 0; index < 2; index++) {
      const turn = await leaseNow();
      if (turn) turns.push(turn.email);
      if (turn) await record(turn, 'sent');
    }
    expect(turns).toEqual(['b@example.com']);
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
    const leaving = await holdOpen(sql, (open) => open`select leave_waitlist(${tokenOf('a@example.com')})`);
    const leased = await Promise.race([leaseNow(), waitUntil(() => isSomebodyWaiting(sql), 10_000)]);
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
    await leave(tokenOf('left@example.com'));
    await report('bounced', 'bounced@example.com');
    expect(await sendAll()).toEqual(['launch to a@example.com']);
    expect(await summarize()).toMatchObject({ sent: '1', refused: '1', waiting: '0' });
    expect(await sql`select retry_outbox() as retried`).toEqual([{ retried: 0 }]);
    expect(await sql`select members, never_mailed from summarize_waitlist()`).toEqual([
      { members: '2', never_mailed: '1' },
    ]);
  });

  it('pauses with everything else when the quota is used up, and loses nobody', async () => {
    await join('a@example.com', 'b@example.com');
    await queue();
    await record((await leaseNow())!, 'postponed', { problem: 'Resend answered 429', retryAfter: 3600 });
    expect(await summarize()).toMatchObject({
      ...{ sent: '0', waiting: '2', problem: 'Resend answered 429', per_second: 2 },
      paused_until: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await sql`update private.outbox set next_try_at = now()`;
    expect(await sendAll()).toHaveLength(2);
    // A wait of less than a minute does not count as a pause.
    await sql`update private.pace set next_delivery_at = now() + interval '50 seconds'`;
    expect(await summarize()).toMatchObject({ paused_until: null });
  });

  it('is listed, retried and counted like a welcome when it fails, but not listed while it waits', async () => {
    await join('refused@example.com', 'waiting@example.com');
    await queue();
    const refused = (await leaseNow())!;
    await record(refused, 'refused', { problem: 'Resend answered 422' });
    await stop();
    const problem = { announcement: 'launch', state: 'refused', problem: 'Resend answered 422' };
    const list = () => sql`select email, announcement, state, problem from list_outbox() order by state`;
    expect(await list()).toEqual([{ email: refused.email, ...problem }]);
    await sql`update private.outbox set last_problem = 'TimeoutError' where state = 'waiting'`;
    expect(await list()).toMatchObject([{ state: 'refused' }, { state: 'waiting', problem: 'TimeoutError' }]);
    const figures = () => sql`
      select waiting::int, waiting_announcements::int, refused::int, waiting_since from summarize_waitlist()`;
    expect(await figures()).toEqual([
      { waiting: 0, waiting_announcements: 0, refused: 1, waiting_since: null },
    ]);
    await stop(false);
    expect(await figures()).toMatchObject([{ waiting_announcements: 1 }]);
    expect(await sql`select retry_outbox() as retried`).toEqual([{ retried: 1 }]);
    expect(await sendAll()).toHaveLength(2);
  });

  it('shows bounces and complaints once, both for the announcement and for the member', async () => {
    await join('a@example.com', 'b@example.com');
    await queue();
    await sendAll();
    await report('bounced', 'a@example.com', { problem: 'why' });
    await report('complained', 'b@example.com');
    await report('bounced', 'b@example.com');
    await report('complained', 'b@example.com', { id: 'another event' });
    expect(await summarize()).toMatchObject({ sent: '2', bounced: '2', complained: '1' });
    expect(await sql`select email, announcement, state from list_returned() where email like 'a%'`).toEqual([
      { email: 'a@example.com', announcement: 'launch', state: 'bounced' },
    ]);
    const [story] = await sql`select history, messages from find_member('a@example.com')`;
    expect(story!['history'].map(({ what }: { what: string }) => what).sort()).toEqual([
      ...['joined', 'launch bounced', 'launch sent', 'welcome sent'],
    ]);
    expect(story!['messages']).toMatchObject([
      { name: null, state: 'sent' },
      { name: 'launch', state: 'sent', problem: null },
    ]);
    await queue('another');
    expect(await summarize('another')).toMatchObject({ bounced: '0', complained: '0' });
    const [summary] = await sql`select announcements from summarize_waitlist()`;
    expect(summary!['announcements']).toMatchObject([
      { name: 'launch', sent: 2, bounced: 2, complained: 1, is_stopped: false },
      { name: 'another', sent: 0 },
    ]);
  });

  it('is deleted with the member; a member who comes back gets it only if it is queued again', async () => {
    await join('a@example.com');
    await queue();
    expect(await sendAll()).toHaveLength(1);
    await leave(tokenOf('a@example.com'));
    expect(await sql`select from private.outbox`).toHaveLength(0);
    await join('a@example.com');
    expect(await sendAll()).toEqual([]);
    await queue();
    expect(await sendAll()).toEqual(['launch to a@example.com']);
  });
});

describe('a test message', () => {
  const test = async (email = ' Owner@example.com') =>
    (await sql`select queue_test(${template}, ${email}) as id`)[0]!['id'] as string;
  const find = async (id: string) => (await sql`select * from find_test(${id})`)[0];

  it('is sent before everything else, appears in no figures, and leaves nothing behind', async () => {
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
    await sql`select forget_test(${id})`;
    expect(await find(id)).toBeUndefined();
    expect(await sql`select * from summarize_waitlist()`).toEqual(before);
  });

  it('is not listed for the owner when it bounces', async () => {
    await test();
    const held = (await leaseNow())!;
    await record(held, 'sent');
    await report('bounced', 'owner@example.com', { message: `message ${held.id}`, mailbox: null });
    expect(await sql`select from private.delivery_events where delivery = ${held.id}`).toHaveLength(1);
    expect(await sql`select from list_returned()`).toHaveLength(0);
    expect(await sql`select returned from summarize_waitlist()`).toEqual([{ returned: {} }]);
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

  it('says why it waits when the provider accepts nothing', async () => {
    await accept('a@example.com');
    await record((await leaseNow())!, 'postponed', { problem: 'Resend answered 429', retryAfter: 3600 });
    expect(await find(await test())).toEqual({ state: 'waiting', problem: 'Resend answered 429' });
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
