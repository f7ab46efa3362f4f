import { describe, expect, it } from 'vitest';
import { recordDeployment } from '../../ops/database.ts';
import { acceptTruly, owner } from './command-line.ts';
import { addMembers, change, leaseNow, neverMail, queue, range, record, report, sql } from './sign-ups.ts';

const show = async (name: string) =>
  (await owner.run(['show', `${name}@example.com`])).stdout.split('\n').slice(0, -1);
const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

describe('show', () => {
  it('tells what happened, in an order that makes sense within the same second', async () => {
    await addMembers(['fan@example.com']);
    // The provider's clock is a little behind ours.
    await report('delivered', 'fan@example.com', { at: '2026-11-20T12:00:01.000001Z' });
    await report('bounced', 'fan@example.com', {
      isFinal: false,
      at: '2026-11-20T12:00:09Z',
      problem: 'The mailbox is full',
    });
    await change('fan@example.com', { sent_at: '2026-11-20T12:00:01.5Z' });
    expect(await show('FAN')).toEqual([
      'fan@example.com',
      '2026-11-20T12:00:00Z  joined',
      '2026-11-20T12:00:01Z  welcome sent',
      '2026-11-20T12:00:01Z  welcome delivered',
      '2026-11-20T12:00:09Z  welcome bounced, The mailbox is full',
    ]);
  });

  it('says what happened to each announcement, until when it waits, and why', async () => {
    await addMembers(['fan@example.com']);
    const changes = {
      first: { state: 'sent', sent_at: '2026-11-20T12:00:15Z', provider_id: 'first' },
      second: { state: 'refused', last_problem: 'Resend answered 422' },
      third: { state: 'unknown', last_problem: 'TimeoutError' },
      fourth: { tries: 3, last_problem: 'Resend answered 500', next_try_at: '2099-11-20T12:05:00Z' },
    };
    for (const [name, values] of Object.entries(changes)) {
      await queue(name);
      await change('fan@example.com', { tries: 0, ...values }, name);
    }
    const bounce = { message: 'first', isFinal: false, at: '2026-11-20T12:00:20Z' };
    await report('bounced', 'fan@example.com', bounce);
    await sql`select stop_announcement('fourth', true)`;
    expect((await show('fan')).slice(3)).toEqual([
      '2026-11-20T12:00:15Z  first sent',
      '2026-11-20T12:00:20Z  first bounced',
      'second refused, Resend answered 422',
      'third unknown, TimeoutError',
      'fourth waiting, stopped, 3 tries, next at 2099-11-20T12:05:00Z, Resend answered 500',
    ]);
  });

  it('tells the story of every spelling of the mailbox, whatever spelling is asked for', async () => {
    for (const email of ['jdoe@gmail.com', 'j.doe+news@gmail.com']) await acceptTruly(email);
    const { stdout } = await owner.run(['show', 'J.Doe@googlemail.com']);
    expect(stdout).toMatch(
      /^jdoe@gmail.com\n.*joined\nwelcome waiting\n\nj.doe\+news@gmail.com\n.*joined\nwelcome waiting\n$/,
    );
    expect(await owner.run(['show', 'j@gmail.com'])).toMatchObject({
      status: 1,
      stderr: 'j@gmail.com is not on the list, and neither is another spelling of its mailbox.\n',
    });
  });
});

describe('the summary', () => {
  /** The lines of the summary by their labels, and what is printed after them. */
  const summarize = async (...args: string[]) => {
    const [figures = '', advice = ''] = (await owner.run(args)).stdout.trimEnd().split('\n\n');
    const lines = figures.split('\n').map((line) => line.trim().split(/ {2,}/));
    return { lines: Object.fromEntries(lines.map(([label, ...rest]) => [label, rest.join(' | ')])), advice };
  };
  const cross = (table: string, row: object) => sql`insert into ${sql(`private.${table}`)} ${sql(row)}`;

  it('counts members, those who may be mailed, and what happened to the messages', async () => {
    const yesterday = `${day(1)}T12:00:00Z`;
    await addMembers(['b1@example.com', 'b2@example.com'], { state: 'waiting', joined: yesterday });
    await addMembers(['c1@example.com'], { state: 'refused', joined: yesterday });
    await addMembers(['d1@example.com', 'd2@example.com', 'd3@example.com'], { state: 'unknown' });
    await addMembers(['e@example.com', 'f@example.com']);
    await queue('news');
    await report('bounced', 'e@example.com', { isFinal: false, id: 'full at first' });
    await report('bounced', 'e@example.com');
    for (const kind of ['bounced', 'complained'] as const)
      await report(kind, 'f@example.com', { isFinal: false });
    await neverMail('left@example.com');
    await cross('outbox', { announcement: 'news', state: 'unknown', left_at: new Date() });
    await cross('hours', { hour: new Date(), refused: 5, unsubscribed: 2 });
    await cross('hours', { hour: `${day(9)}T12:00:00Z`, unsubscribed: 20 });
    expect((await summarize()).lines).toMatchObject({
      'sign-ups refused today': expect.stringMatching(/^5 \| over a limit: see "limits"/),
      members: '8',
      mailable: '7 | the others bounced permanently, complained or were barred',
      'unsubscribed today': '2 | 22 in 14 days',
      'waiting for the welcome': '2',
      refused: '1 | "outbox" says why, "retry" queues what may be sent',
      unknown: '3 | may have been sent: "outbox" says why',
      bounced: expect.stringMatching(/^2 \|/),
      complained: '1',
      'news sent': '0 | 6 waiting, 0 refused, 0 unknown, 0 bounced, 0 complained',
    });
    expect(await summarize('summary')).toEqual(await summarize());
  });

  it('draws the last 14 days as bars that fit the terminal, or as many days as asked for', async () => {
    for (const [ago, count] of Object.entries({ 0: 1, 1: 4, 5: 2, 13: 8, 14: 9 }))
      await addMembers(range(count, `${ago}-`), { joined: `${day(Number(ago))}T00:00:00Z` });
    const draw = async (...args: string[]) => (await owner.run(args)).stdout.match(/^joined .*$/gm)!;
    const days = await draw();
    expect(days).toHaveLength(14);
    const read = (line: string) => /^joined (\S+) +(\d+)/.exec(line)!.slice(1).join(': ');
    expect(days.map(read).filter((line) => !line.endsWith(': 0'))).toEqual([
      ...[`${day(13)}: 8`, `${day(5)}: 2`, `${day(1)}: 4`, `${day(0)}: 1`],
    ]);
    for (const line of days) expect(line.length).toBeLessThanOrEqual(80);
    const [longest = 0, ...others] = days.flatMap((line) => line.match(/▇+/)?.[0].length ?? []);
    expect(others.map((bar) => longest / bar)).toEqual([4, 2, 8]);
    expect((await draw('summary', '--days', '15')).map(read)[0]).toBe(`${day(14)}: 9`);
  });

  it('says first that nothing has been sent, if messages are due and nothing holds them up, or the clock stands still', async () => {
    const { values } = owner.settings;
    const { advice: none } = await summarize();
    await addMembers(['sent@example.com'], { joined: '2026-11-20T12:00:00Z' });
    await addMembers(['a@example.com', 'b@example.com'], { state: 'waiting' });
    const silent = /^Nothing has been sent since 2026-11-20T12:00:01Z: .*“When nothing is sent”/;
    // A minute ago, the message was accepted and the clock ran.
    expect([none, (await summarize()).advice]).toEqual(['', '']);
    const wait = (tries: number) => sql`
      update private.outbox set accepted_at = now() - interval '16 minutes', next_try_at = now() - interval '16 minutes',
        tries = ${tries} where state = 'waiting'`;
    await wait(0);
    // Other turns are taken meanwhile.
    expect((await summarize()).advice).toBe('');
    await sql`update private.pace set next_delivery_at = now() - interval '16 minutes'`;
    expect((await summarize()).advice).toMatch(silent);
    await sql`update private.pace set next_delivery_at = now(), problem = 'a pause that is over'`;
    await wait(3);
    expect((await summarize()).advice).toMatch(silent);
    const rejected = { rejections: 1, rejected_at: new Date(), last_problem: 'Resend answered 422' };
    await change('a@example.com', { ...rejected, tried_at: new Date(0) });
    await change('b@example.com', { ...rejected, tried_at: new Date(), last_problem: null }); // on its way
    expect((await summarize()).advice).toMatch(/answer was: Resend answered 422\. .*check the function/);
    await sql`update private.pace set next_delivery_at = now() + interval '1 hour'`;
    expect((await summarize()).advice).toMatch(/^Deliveries are paused/);
    await sql`update private.pace set next_delivery_at = now(), counted_at = now() - interval '14 minutes'`;
    // Accepted, and reported as failed: it waits for hours.
    await sql`update private.outbox set rejected_at = null, next_try_at = now() + interval '1 hour'`;
    expect((await summarize()).advice).toBe('');
    for (const restart of [() => sql`select resume_deliveries()`, () => recordDeployment(sql, values)]) {
      await sql`update private.pace set counted_at = counted_at - interval '15 minutes'`; // the clock stands still
      expect((await summarize()).advice).toMatch(/^Nothing has been sent since/);
      await restart();
      expect((await summarize()).advice).toBe('');
    }
  });

  it('knows that the database is read-only', async () => {
    const [summary] = await sql.begin(async (later) => {
      await later`set local default_transaction_read_only = on`;
      return later`select summarize_waitlist()->'is_read_only' as is_read_only`;
    });
    expect(summary).toEqual({ is_read_only: true });
  });

  it('says why deliveries are paused, until they are resumed', async () => {
    await addMembers(['a@example.com'], { state: 'waiting' });
    await record((await leaseNow())!, 'paused', { problem: 'daily_quota_exceeded', pause: 3600 });
    await record({ id: crypto.randomUUID(), lease: '' }, 'sent'); // a message that was under way
    await sql`update private.pace set next_delivery_at = now()`; // over, but nothing was tried since
    expect((await summarize()).advice).toMatch(/until 20\S+Z\..* daily_quota_exceeded\. .*"resume"/);
    expect(await owner.read('resume')).toEqual({ resumed: true });
    expect(await summarize()).toMatchObject({ advice: '' });
    expect(await leaseNow()).toMatchObject({ email: 'a@example.com' });
  });

  it('says that the brake is on, until it is ended', async () => {
    await addMembers(['a@example.com', 'b@example.com'], { state: 'waiting' });
    await sql`update private.pace set brake = '60 of 60 messages bounced'`;
    const { advice } = await summarize();
    expect(advice).toMatch(/^The brake is on: 60 of 60 .*"help remove-undelivered".*"resume"/);
    await owner.read('resume');
    expect(await summarize()).toMatchObject({ advice: '' });
  });

  it('says that nothing tells who calls, and which command looks for it', async () => {
    await cross('calls', { at: new Date(), caller_hash: null, mailbox_hash: 'm' });
    const said = expect.stringMatching(/CALLER_HEADER is missing or wrong\. .*deploy" looks for it/);
    expect(await owner.read()).toMatchObject({ advice: [said] });
  });
});
