import postgres from 'postgres';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import {
  addMessages,
  clear,
  join,
  joinAndSend,
  lease,
  preview,
  queue,
  queued,
  record,
  sendAll,
  sql,
  summarize,
  template,
} from './announcements.ts';
import { databaseUrl } from './database.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';

beforeEach(clear);
afterAll(async () => {
  await clear();
  await sql.end();
});

describe('queueing an announcement', () => {
  it('adds one message for each member who may be mailed, as many as the preview said', async () => {
    await joinAndSend('a@example.com', 'b@example.com', 'bounced@example.com');
    await join('new@example.com');
    await sql`insert into private.never_mailed values ('hash of bounced@example.com')`;
    expect(await preview()).toEqual({
      ...{ recipients: '3', queued_before: '0', never_mailed: '1', waiting_welcomes: '1', per_second: 2 },
      ...{ is_changed: false, is_stopped: false },
    });
    expect(await queue()).toEqual({ outcome: 'queued', queued: 3 });
    expect(await queued()).toEqual(['a@example.com', 'b@example.com', 'new@example.com']);
    expect(await preview()).toMatchObject({ recipients: '0', queued_before: '3', never_mailed: '1' });
    // Who bounces later was not skipped.
    await addMessages();
    await sql`insert into private.never_mailed values ('hash of a@example.com')`;
    expect(await preview()).toMatchObject({
      recipients: '0',
      queued_before: '3',
      never_mailed: '1',
      waiting_welcomes: '1',
    });
  });

  it('adds only members who joined since, when it is repeated', async () => {
    await joinAndSend('a@example.com');
    await queue();
    await sendAll();
    expect(await queue()).toEqual({ outcome: 'queued', queued: 0 });
    await joinAndSend('b@example.com');
    expect(await queue()).toEqual({ outcome: 'queued', queued: 1 });
    expect(await sendAll()).toEqual(['launch to b@example.com']);
  });

  it('adds each member once, even when it happens three times at once', async () => {
    await joinAndSend(...Array.from({ length: 50 }, (_, index) => `name${index}@example.com`));
    const outcomes = await Promise.all([queue(), queue(), queue()]);
    expect(outcomes.map((outcome) => outcome!['queued']).sort()).toEqual([0, 0, 50]);
    expect(await queued()).toHaveLength(50);
  });

  it('adds members who joined since while it is being sent, wherever they are in the order', async () => {
    await joinAndSend('b@example.com', 'd@example.com');
    await queue();
    const first = (await lease())!;
    await record(first, 'sent');
    await joinAndSend('a@example.com', 'c@example.com', 'e@example.com');
    expect(await queued()).toEqual(['b@example.com', 'd@example.com']);
    expect(await preview()).toMatchObject({ recipients: '3', queued_before: '2' });
    expect(await queue()).toEqual({ outcome: 'queued', queued: 3 });
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => `launch to ${name}@example.com`);
    expect([`launch to ${first.email}`, ...(await sendAll())].sort()).toEqual(all);
    expect(await summarize()).toMatchObject({ sent: '5', waiting: '0' });
  });

  it('adds the rows of a long list to the outbox in pages, when their turn comes', async () => {
    await sql`
      insert into private.outbox (email, state)
      select 'member' || number || '@example.com', 'sent' from generate_series(1, 7500) as number`;
    expect(await queue()).toEqual({ outcome: 'queued', queued: 7500 });
    const rows = async () =>
      (await sql`select count(*)::int as rows from private.outbox where announcement = 'launch'`)[0]!['rows'];
    expect(await rows()).toBe(0);
    expect(await summarize()).toMatchObject({ sent: '0', waiting: '7500' });
    for (const expected of [5000, 7500, 7500]) {
      await lease();
      expect(await rows()).toBe(expected);
      expect(await queued()).toHaveLength(7500);
      await sql`update private.outbox set state = 'sent' where announcement = 'launch'`;
    }
    expect(await summarize()).toMatchObject({ sent: '7500', waiting: '0' });
    expect(await lease()).toBeUndefined();
  });

  it('updates the planner statistics at once, so that no count takes minutes', async () => {
    await joinAndSend(...Array.from({ length: 50 }, (_, index) => `name${index}@example.com`));
    await queue();
    await addMessages();
    expect(
      await sql`select null_frac from pg_stats where tablename = 'outbox' and attname = 'announcement'`,
    ).toEqual([{ null_frac: 0.5 }]);
  });

  it('queues nothing when the message has changed, and says so', async () => {
    await joinAndSend('a@example.com');
    await queue();
    await joinAndSend('b@example.com');
    const changed = template.replace('live', 'open');
    expect(await preview('launch', changed)).toMatchObject({ is_changed: true, recipients: '1' });
    expect(await queue('launch', changed)).toEqual({ outcome: 'changed', queued: 0 });
    expect(await queued()).toEqual(['a@example.com']);
  });

  it.each(['{}', '{"subject":"x","html":"x"}', 'no JSON'])(
    'refuses %s, which is not a message',
    async (message) => {
      await expect(queue('launch', message)).rejects.toThrow();
      expect(await summarize()).toBeUndefined();
    },
  );

  it('skips a member who is leaving while their message would be added', async () => {
    await joinAndSend('a@example.com', 'b@example.com');
    await queue();
    const leaving = await holdOpen(sql, (open) => open`select leave_waitlist('token of a@example.com')`);
    const adding = lease();
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await leaving.commit();
    expect(await adding).toMatchObject({ email: 'b@example.com' });
    expect(await queued()).toEqual(['b@example.com']);
  });

  it('deletes the message of a member who leaves while rows are being added', async () => {
    await joinAndSend('a@example.com', 'b@example.com');
    await queue();
    const adding = await holdOpen(sql, (open) => open`select private.add_messages('launch')`);
    const leaving = sql`select leave_waitlist('token of a@example.com')`.execute();
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await adding.commit();
    await leaving;
    expect(await sendAll()).toEqual(['launch to b@example.com']);
  });

  it('loses nobody when it is repeated while the first messages are being added', async () => {
    await joinAndSend('b@example.com');
    await queue();
    await joinAndSend('a@example.com');
    const adding = await holdOpen(sql, (open) => open`select private.add_messages('launch')`);
    const queueing = queue();
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await adding.commit();
    expect(await queueing).toEqual({ outcome: 'queued', queued: 1 });
    expect(await sendAll()).toEqual(['launch to b@example.com', 'launch to a@example.com']);
  });

  it('loses nobody when messages are added while it is being repeated', async () => {
    await joinAndSend('b@example.com');
    await queue();
    await joinAndSend('a@example.com');
    const queueing = await holdOpen(sql, (open) => open`select queue_announcement('launch', ${template})`);
    const adding = sql`select private.add_messages('launch')`.execute();
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await queueing.commit();
    await adding;
    expect(await sendAll()).toHaveLength(2);
  });

  it('does not delay a visitor who signs up while it runs', async () => {
    await joinAndSend('a@example.com');
    const queueing = await holdOpen(sql, (open) => open`select queue_announcement('launch', ${template})`);
    await join('a@example.com', 'b@example.com');
    await queueing.commit();
    expect(await queued()).toEqual(['a@example.com']);
    const adding = await holdOpen(sql, (open) => open`select private.add_messages('launch')`);
    await join('a@example.com', 'c@example.com');
    await adding.commit();
  });

  it('queues everybody or nobody when its connection is cut', async () => {
    await joinAndSend('a@example.com', 'b@example.com');
    const other = postgres(databaseUrl, { max: 1 });
    const queueing = other`
      select queue_announcement('launch', ${template}), pg_terminate_backend(pg_backend_pid())`;
    await expect(queueing).rejects.toThrow();
    await other.end({ timeout: 0 });
    expect(await queued()).toEqual([]);
    expect(await summarize()).toBeUndefined();
    expect(await queue()).toEqual({ outcome: 'queued', queued: 2 });
  });
});

describe('a test message', () => {
  const test = async (email = ' Owner@example.com') =>
    (await sql`select queue_test(${template}, ${email}) as id`)[0]!['id'] as string;
  const find = async (id: string) => (await sql`select * from find_test(${id})`)[0];

  it('is sent before announcements, appears in no figures, and leaves nothing behind', async () => {
    await joinAndSend('a@example.com');
    await queue();
    const before = await sql`select * from summarize_waitlist()`;
    const id = await test();
    expect(await find(id)).toEqual({ state: 'waiting', problem: null });
    expect(await sql`select * from summarize_waitlist()`).toEqual(before);
    const held = (await lease())!;
    expect(held).toMatchObject({ id, email: 'owner@example.com', template });
    await record(held, 'refused', 'Resend answered 422');
    expect(await find(id)).toEqual({ state: 'refused', problem: 'Resend answered 422' });
    expect(await sql`select from list_outbox()`).toHaveLength(0);
    expect(await sql`select retry_outbox() as retried`).toEqual([{ retried: 0 }]);
    await sql`select forget_test(${id})`;
    expect(await find(id)).toBeUndefined();
    expect(await sql`select name from private.announcements`).toEqual([{ name: 'launch' }]);
    expect(await sql`select * from summarize_waitlist()`).toEqual(before);
    expect(await queued()).toEqual(['a@example.com']);
  });

  it('is not listed for the owner when it bounces', async () => {
    await test();
    const held = (await lease())!;
    await record(held, 'sent');
    await sql`select record_delivery_event('e', ${`message ${held.id}`}, 'bounced', now(), null, null)`;
    expect(await sql`select from private.delivery_events where delivery = ${held.id}`).toHaveLength(1);
    expect(await sql`select from list_returned()`).toHaveLength(0);
    expect(await sql`select returned from summarize_waitlist()`).toEqual([{ returned: {} }]);
  });

  it('has the unsubscribe link of the member, or one that unsubscribes nobody', async () => {
    await joinAndSend('owner@example.com');
    const [member] = await sql`select member_id from private.outbox`;
    await test();
    expect(await lease()).toMatchObject(member!);
    await test('stranger@example.com');
    const { id, member_id } = (await lease())!;
    expect(member_id).not.toBe(member!['member_id']);
    // The same for the next attempt, because the provider compares the messages.
    await sql`update private.outbox set leased_until = now() - interval '1 second' where id = ${id}`;
    expect(await lease()).toMatchObject({ id, member_id });
  });

  it('is not sent to an address that bounced or complained', async () => {
    await joinAndSend('owner@example.com');
    await sql`insert into private.never_mailed values ('hash of owner@example.com')`;
    const id = await test();
    expect(await lease()).toBeUndefined();
    expect(await find(id)).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('never mailed again'),
    });
  });

  it('says why it waits when the provider accepts nothing', async () => {
    await join('a@example.com');
    await record((await lease())!, 'postponed', 'Resend answered 429');
    expect(await find(await test())).toEqual({ state: 'waiting', problem: 'Resend answered 429' });
  });

  it('is deleted by a later test if it was interrupted, but announcements and new tests stay', async () => {
    await queue();
    const id = await test();
    await test();
    expect(await find(id)).toBeDefined();
    await sql`update private.announcements set queued_at = now() - interval '2 hours'`;
    await test();
    expect(await find(id)).toBeUndefined();
    expect(await sql`select from private.outbox`).toHaveLength(1);
    expect(await summarize()).toBeDefined();
  });
});
