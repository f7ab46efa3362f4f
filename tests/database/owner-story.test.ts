import { beforeEach, describe, expect, it } from 'vitest';
import { startOwner } from './command-line.ts';

const { owner, sql } = startOwner();

beforeEach(
  () => sql`truncate waitlist_emails, private.outbox, private.announcements, private.never_mailed cascade`,
);

/** Puts a member on the list who joined at noon of a day, with a welcome in the given state, and stores an event. */
async function addMember(
  name: string,
  state: string,
  {
    day = '2026-11-20',
    event,
    isNeverMailed = false,
  }: { day?: string; event?: string; isNeverMailed?: boolean } = {},
): Promise<void> {
  const email = `${name}@example.com`;
  const problem = state === 'sent' ? null : 'Resend answered 500';
  const sentAt = state === 'sent' ? `${day}T12:00:01Z` : null;
  await sql.begin(async (transaction) => {
    await transaction`insert into waitlist_emails (email, created_at, source, accepted) values (${email}, ${`${day}T12:00:00Z`}, 'landing_page', true)`;
    await transaction`
      insert into private.outbox (email, email_hash, message, state, accepted_at, next_try_at, sent_at, tries, last_problem)
      values (${email}, ${name}, '{}', ${state}, ${`${day}T12:00:00Z`}, '2026-11-20T12:05:00Z', ${sentAt}, 3, ${problem})`;
    if (event)
      await transaction`
        insert into private.delivery_events (id, message, delivery, kind, at, problem)
        select ${name}, 'message', id, ${event}, '2026-11-20T12:00:09Z', 'The mailbox is full' from private.outbox where email = ${email}`;
    if (isNeverMailed) await transaction`insert into private.never_mailed values (${name})`;
  });
}

const show = async (name: string) =>
  (await owner.run(['show', `${name}@example.com`])).stdout.split('\n').slice(0, -1);

describe('show', () => {
  it('says when a member joined, and that the welcome arrived', async () => {
    await addMember('glad', 'sent', { event: 'delivered' });
    expect(await show('GLAD')).toEqual([
      'glad@example.com',
      '2026-11-20T12:00:00Z  joined',
      '2026-11-20T12:00:01Z  welcome sent',
      '2026-11-20T12:00:09Z  welcome delivered: The mailbox is full',
    ]);
  });

  it('shows that the welcome bounced and why, and that the address is never mailed again', async () => {
    await addMember('gone', 'sent', { event: 'bounced', isNeverMailed: true });
    expect((await show('gone')).slice(-2)).toEqual([
      '2026-11-20T12:00:09Z  welcome bounced: The mailbox is full',
      'This member is never mailed again: the address bounced permanently or complained.',
    ]);
  });

  it('says what happened to each announcement', async () => {
    await addMember('fan', 'sent', { event: 'delivered' });
    for (const name of ['first', 'second', 'third', 'fourth']) {
      const template = JSON.stringify({ subject: name, html: '', text: '' });
      await sql`select queue_announcement(${name}, ${template})`;
    }
    const change = async (name: string, values: object) => {
      await sql`select private.add_messages(${name})`;
      await sql`update private.outbox set ${sql(values)} where announcement = ${name}`;
    };
    await change('first', { state: 'sent', sent_at: '2026-11-20T12:00:15Z' });
    await change('second', { state: 'refused', last_problem: 'Resend answered 422' });
    await change('third', { state: 'unknown', last_problem: 'TimeoutError' });
    await sql`
      insert into private.delivery_events (id, message, delivery, kind, at)
      select 'back', 'message', id, 'bounced', '2026-11-20T12:00:20Z' from private.outbox where announcement = 'first'`;
    expect(await show('fan')).toEqual([
      'fan@example.com',
      '2026-11-20T12:00:00Z  joined',
      '2026-11-20T12:00:01Z  welcome sent',
      '2026-11-20T12:00:09Z  welcome delivered: The mailbox is full',
      '2026-11-20T12:00:15Z  first sent',
      '2026-11-20T12:00:20Z  first bounced',
      'second was refused: Resend answered 422. "retry fan@example.com" queues it again.',
      'third may have been sent: TimeoutError. "retry fan@example.com" queues it, perhaps a second time.',
      'fourth is waiting for its turn.',
    ]);
    // Nobody needs to know about a test message.
    await sql`
      insert into private.announcements (name, message, is_test) values ('test', '{"subject":"","html":"","text":""}', true)`;
    await sql`
      insert into private.outbox (email, announcement, state, sent_at) values ('fan@example.com', 'test', 'sent', '2026-11-20T12:00:30Z')`;
    await sql`
      insert into private.delivery_events (id, message, delivery, kind, at)
      select 'test', 'message', id, 'delivered', '2026-11-20T12:00:31Z' from private.outbox where announcement = 'test'`;
    expect(await show('fan')).toHaveLength(9);
    const { stderr } = await owner.run(['retry', 'fan@example.com', '--yes']);
    expect(stderr).toBe('');
    expect((await show('fan')).slice(-3)).toEqual([
      'second is waiting for its turn.',
      'third is waiting for its turn.',
      'fourth is waiting for its turn.',
    ]);
  });

  it('says how long the welcome has to wait, how many are sent before it, and why', async () => {
    await addMember('early', 'waiting');
    await addMember('late', 'waiting');
    await sql`update private.outbox set next_try_at = '2099-11-20T12:05:00Z' where email = 'late@example.com'`;
    // Neither a welcome that was sent nor an announcement goes out before.
    await addMember('fan', 'sent');
    await sql`select queue_announcement('news', '{"subject":"","html":"","text":""}')`;
    await sql`select private.add_messages('news')`;
    expect((await show('early')).find((line) => line.startsWith('The welcome'))).toBe(
      'The welcome is waiting for its turn after 3 tries: Resend answered 500.',
    );
    expect((await show('late')).find((line) => line.startsWith('The welcome'))).toBe(
      'The welcome is waiting until 2099-11-20T12:05:00Z, behind 1 other after 3 tries: Resend answered 500.',
    );
    expect((await show('fan')).at(-1)).toBe('news is waiting for its turn.');
  });

  it.each([
    [
      'refused',
      'The welcome was refused after 3 tries: Resend answered 500. "retry jo@example.com" queues it again.',
    ],
    [
      'unknown',
      'The welcome may have been sent after 3 tries: Resend answered 500. "retry jo@example.com" queues it, perhaps a second time.',
    ],
  ])('says what to do about a welcome that is %s', async (state, line) => {
    await addMember('jo', state);
    expect((await show('jo')).at(-1)).toBe(line);
  });

  it('does not advise a retry for an address that is never mailed', async () => {
    await addMember('gone', 'refused', { isNeverMailed: true });
    expect((await show('gone')).slice(-2)).toEqual([
      'The welcome was refused after 3 tries: Resend answered 500.',
      'This member is never mailed again: the address bounced permanently or complained.',
    ]);
  });

  it('reports an address that is not on the list', async () => {
    expect(await owner.run(['show', 'nobody@example.com'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'nobody@example.com is not on the list.\n',
    });
    expect((await owner.run(['show', 'nobody@example.com', '--json'])).stdout).toBe('null\n');
  });
});

describe('the summary', () => {
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

  it('counts members, those who may be mailed, and what happened to the welcomes', async () => {
    await addMember('a', 'sent', { day: today, event: 'delivered' });
    await addMember('b', 'waiting', { day: yesterday });
    await addMember('h', 'waiting', { day: today });
    for (const name of ['c', 'i', 'j']) await addMember(name, 'refused', { day: yesterday });
    for (const name of ['d', 'k', 'l', 'm', 'n']) await addMember(name, 'unknown');
    for (const name of ['o', 'p', 'q', 'r']) await addMember(name, 'sent', { day: today });
    await addMember('e', 'sent', { event: 'bounced', isNeverMailed: true });
    await addMember('f', 'sent', { event: 'bounced' });
    await addMember('g', 'sent', { event: 'complained', isNeverMailed: true });
    await sql`insert into private.never_mailed values ('somebody who left')`;
    // Two events of one member.
    await sql`
      insert into private.delivery_events (id, message, delivery, kind, at)
      select 'again', message, delivery, kind, at from private.delivery_events where id = 'f'`;
    const { status, stdout, stderr } = await owner.run([]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'members | 18',
      'mailable | 16 | 2 members bounced permanently or complained; after a temporary bounce, a member is still mailed',
      'joined today | 6 | since 00:00 UTC',
      'joined yesterday | 4',
      `waiting for the welcome | 2 | the oldest since ${yesterday}T12:00:00Z, about 1 minute at 2 a second`,
      'refused | 3 | "outbox" says why, "retry" queues them again',
      'unknown | 5 | may have been sent: "outbox" says why',
      'bounced | 2',
      'complained | 1',
      '',
    ]);
  });

  it('counts the messages of announcements that wait, unless they are stopped', async () => {
    for (const name of ['a', 'b', 'c']) await addMember(name, 'sent');
    const template = JSON.stringify({ subject: 'News', html: '', text: '' });
    await sql`select queue_announcement('news', ${template})`;
    await sql`
      insert into private.outbox (email, message)
      select 'member' || number || '@example.com', '{}' from generate_series(1, 119) as number`;
    const { stdout } = await owner.run([]);
    expect(stdout.replace(/ {2,}/g, ' | ')).toMatch(
      /\nwaiting for the welcome \| 119 \| the oldest since .*, about 1 minute at 2 a second\nannouncements waiting \| 3 \| after the welcomes: about 2 minutes at 2 a second\n/,
    );
    await sql`select stop_announcement('news', true)`;
    expect((await owner.run([])).stdout).not.toContain('announcements');
  });

  it('is short on the first day', async () => {
    expect((await owner.run([])).stdout.trim().split(/\s{2,}|\n/)).toEqual(
      [
        ['members', '0'],
        ['mailable', '0'],
        ['joined today', '0', 'since 00:00 UTC'],
        ['joined yesterday', '0'],
        ['waiting for the welcome', '0'],
        ['bounced', '0'],
        ['complained', '0'],
      ].flat(),
    );
    expect(await owner.read()).toMatchObject({ members: 0, never_mailed: 0, returned: {} });
  });

  it('shows that the provider accepts no more messages for now, with the latest reason', async () => {
    await addMember('a', 'waiting');
    await sql`update private.outbox set last_problem = 'TimeoutError', next_try_at = next_try_at - interval '1 hour'`;
    await addMember('b', 'waiting');
    await addMember('c', 'refused');
    await sql`update private.outbox set last_problem = 'Resend answered 422', next_try_at = now() where email = 'c@example.com'`;
    await sql`update private.pace set next_delivery_at = now() + interval '1 hour'`;
    try {
      expect((await owner.run([])).stdout).toMatch(
        /waiting for the welcome +2 +the oldest since \S+, paused until \S+Z: Resend answered 500/,
      );
    } finally {
      await sql`update private.pace set next_delivery_at = now()`;
    }
  });
});
