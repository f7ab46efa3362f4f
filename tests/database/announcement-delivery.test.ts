import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import {
  addMessages,
  clear,
  join,
  joinAndSend,
  lease,
  queue,
  record,
  sendAll,
  sql,
  stop,
  summarize,
  template,
} from './announcements.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';

beforeEach(clear);
afterAll(async () => {
  await clear();
  await sql.end();
});

describe('the delivery of an announcement', () => {
  it('returns the template, the address, and the id from which the unsubscribe link is made', async () => {
    await joinAndSend('a@example.com');
    await queue();
    const [welcome] = await sql`select member_id from private.outbox where announcement is null`;
    expect(await lease()).toMatchObject({
      ...welcome,
      email: 'a@example.com',
      template,
      message: null,
    });
  });

  it('returns the template only if the function does not have it yet', async () => {
    await joinAndSend('a@example.com', 'b@example.com', 'c@example.com');
    await queue();
    const { template_hash } = (await lease())!;
    expect(await lease(template_hash)).toMatchObject({ template: null, template_hash });
    expect(await lease('another')).toMatchObject({ template, template_hash });
  });

  it('comes after every welcome, with the oldest announcement first', async () => {
    await joinAndSend('a@example.com');
    await queue('older');
    await queue('newer');
    await join('b@example.com', 'c@example.com');
    expect(await sendAll()).toEqual([
      ...['welcome to b@example.com', 'welcome to c@example.com'],
      ...['older to a@example.com', 'newer to a@example.com'],
    ]);
  });

  it('waits until the member has received the welcome, without delaying others', async () => {
    await join('a@example.com');
    await record((await lease())!, 'failed', 'TimeoutError');
    await joinAndSend('b@example.com');
    await queue();
    expect(await sendAll()).toEqual(['launch to b@example.com']);
    await sql`update private.outbox set next_try_at = now()`;
    expect(await sendAll()).toEqual(['welcome to a@example.com', 'launch to a@example.com']);
  });

  it('goes to the others while one member is leaving', async () => {
    await joinAndSend('a@example.com', 'b@example.com');
    await queue();
    await addMessages();
    await sql`update private.outbox set next_try_at = now() - interval '1 minute' where email = 'a@example.com'`;
    const leaving = await holdOpen(sql, (open) => open`select leave_waitlist('token of a@example.com')`);
    const leased = await Promise.race([lease(), waitUntil(() => isSomebodyWaiting(sql), 10_000)]);
    await leaving.commit();
    expect(leased).toMatchObject({ email: 'b@example.com' });
  });

  it('skips at most a hundred messages in one call, so that a call stays fast', async () => {
    await queue();
    await sql`insert into private.never_mailed values ('bounced')`;
    await sql`
      insert into private.outbox (email, announcement, email_hash)
      select 'name' || number || '@example.com', 'launch', 'bounced' from generate_series(1, 150) as number`;
    await sql`select lease_delivery()`;
    expect(await sql`select from private.outbox where state = 'refused'`).toHaveLength(100);
  });

  it('can be stopped and resumed at any moment', async () => {
    expect(await stop()).toBe(false);
    await joinAndSend('a@example.com', 'b@example.com');
    await queue();
    const held = await lease();
    expect(await stop()).toBe(true);
    expect(await lease()).toBeUndefined();
    expect(await summarize()).toMatchObject({ is_stopped: true, waiting: '2' });
    await join('c@example.com');
    expect(await sendAll()).toEqual(['welcome to c@example.com']);
    // The message that was being sent when it stopped.
    await record(held!, 'sent');
    expect(await stop(false)).toBe(true);
    expect(await sendAll()).toHaveLength(1);
    expect(await summarize()).toMatchObject({ is_stopped: false, waiting: '0', sent: '2' });
  });

  it('returns the wait until the next message, and ignores stopped announcements', async () => {
    await joinAndSend('a@example.com');
    await queue('stopped');
    await queue();
    await stop(true, 'stopped');
    await record((await lease())!, 'failed', 'TimeoutError');
    await sql`update private.outbox set next_try_at = now() + interval '1 hour' where announcement = 'launch'`;
    const { wait } = (await lease())!;
    expect(wait).toBeGreaterThan(3_500_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
  });

  it.each([
    ['is in the outbox', addMessages, '1'],
    ['will be added to the outbox', () => undefined, '0'],
  ])('skips members who left, bounced or complained while their message %s', async (_, prepare, refused) => {
    await joinAndSend('left@example.com', 'bounced@example.com', 'a@example.com');
    await queue();
    await prepare();
    await sql`select leave_waitlist('token of left@example.com')`;
    await sql`select record_delivery_event('e', 'some message', 'bounced', now(), null, 'hash of bounced@example.com')`;
    expect(await sendAll()).toEqual(['launch to a@example.com']);
    expect(await summarize()).toMatchObject({ sent: '1', refused, waiting: '0' });
    expect(await sql`select retry_outbox() as retried`).toEqual([{ retried: 0 }]);
    expect(await sql`select members, never_mailed from summarize_waitlist()`).toEqual([
      { members: '2', never_mailed: '1' },
    ]);
  });

  it('pauses with everything else when the quota is used up, and loses nobody', async () => {
    await joinAndSend('a@example.com', 'b@example.com');
    await queue();
    await record((await lease())!, 'postponed', 'Resend answered 429');
    expect(await summarize()).toMatchObject({
      ...{ sent: '0', waiting: '2', problem: 'Resend answered 429', per_second: 2 },
      paused_until: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await sql`update private.outbox set next_try_at = now()`;
    expect(await sendAll()).toHaveLength(2);
  });

  it('does not count as paused while the provider only asks for a wait of a few seconds', async () => {
    await joinAndSend('a@example.com');
    await queue();
    const first = (await lease())!;
    await sql`select record_delivery(${first.id}, ${first.lease}, 'postponed', null, 'Resend answered 429', 50)`;
    expect(await summarize()).toMatchObject({ waiting: '1', paused_until: null });
  });

  it('is listed, retried and counted like a welcome when it fails, but not listed while it waits', async () => {
    await joinAndSend('refused@example.com', 'waiting@example.com');
    await queue();
    const refused = (await lease())!;
    await record(refused, 'refused', 'Resend answered 422');
    await stop();
    const problem = { announcement: 'launch', state: 'refused', problem: 'Resend answered 422' };
    const list = () => sql`select email, announcement, state, problem from list_outbox() order by state`;
    expect(await list()).toEqual([{ email: refused.email, ...problem }]);
    await sql`update private.outbox set last_problem = 'TimeoutError' where state = 'waiting'`;
    expect(await list()).toMatchObject([{ state: 'refused' }, { state: 'waiting', problem: 'TimeoutError' }]);
    expect(
      await sql`select waiting::int, waiting_announcements::int, refused::int from summarize_waitlist()`,
    ).toEqual([{ waiting: 0, waiting_announcements: 0, refused: 1 }]);
    await stop(false);
    expect(await sql`select waiting_announcements::int, waiting_since from summarize_waitlist()`).toEqual([
      { waiting_announcements: 1, waiting_since: null },
    ]);
    expect(await sql`select retry_outbox() as retried`).toEqual([{ retried: 1 }]);
    expect(await sendAll()).toHaveLength(2);
  });

  it('shows bounces and complaints, both for the announcement and for the member', async () => {
    await joinAndSend('a@example.com', 'b@example.com');
    await queue();
    await sendAll();
    for (const { id, email } of await sql`select id, email from private.outbox where announcement = 'launch'`)
      await sql`
        select record_delivery_event(${email}, ${`message ${id}`}, ${email[0] === 'a' ? 'bounced' : 'complained'}, now(), 'why', null)`;
    expect(await summarize()).toMatchObject({ sent: '2', bounced: '1', complained: '1' });
    expect(await sql`select email, announcement, state from list_returned() order by email`).toEqual([
      { email: 'a@example.com', announcement: 'launch', state: 'bounced' },
      { email: 'b@example.com', announcement: 'launch', state: 'complained' },
    ]);
    const [story] = await sql`select history, messages from find_member('a@example.com')`;
    expect(story).toMatchObject({
      history: [{ what: 'joined' }, { what: 'launch sent' }, { what: 'launch bounced', problem: 'why' }],
      messages: [
        { name: null, state: 'sent' },
        { name: 'launch', state: 'sent', problem: null },
      ],
    });
  });

  it('counts a member once even if their message came back twice, and only for that announcement', async () => {
    await joinAndSend('a@example.com');
    await queue();
    await sendAll();
    const [entry] = await sql`select provider_id from private.outbox where announcement = 'launch'`;
    for (const [event, kind] of Object.entries({
      e1: 'bounced',
      e2: 'bounced',
      e3: 'complained',
      e4: 'complained',
    }))
      await sql`select record_delivery_event(${event}, ${entry!['provider_id']}, ${kind}, now(), null, null)`;
    expect(await summarize()).toMatchObject({ bounced: '1', complained: '1' });
    await queue('another');
    expect(await summarize('another')).toMatchObject({ bounced: '0', complained: '0' });
  });

  it('is deleted with the member; a member who comes back gets it only if it is queued again', async () => {
    await joinAndSend('a@example.com');
    await queue();
    expect(await sendAll()).toHaveLength(1);
    await sql`select leave_waitlist('token of a@example.com')`;
    expect(await sql`select from private.outbox`).toHaveLength(0);
    await joinAndSend('a@example.com');
    expect(await sendAll()).toEqual([]);
    await queue();
    expect(await sendAll()).toEqual(['launch to a@example.com']);
  });
});
