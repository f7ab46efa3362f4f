import { describe, expect, it } from 'vitest';
import {
  accept,
  change,
  holdOpen,
  idOf,
  join,
  leaseNow,
  leaseTurn,
  queue,
  queued,
  range,
  record,
  report,
  retry,
  sendAll,
  somebodyWaits,
  sql,
  stop,
  summarize,
  takeStock,
  template,
  unsubscribe,
} from './sign-ups.ts';

it('queueing waits for nobody who is leaving at that moment, and skips them', async () => {
  await join('a@example.com', 'b@example.com');
  const id = await idOf('a@example.com');
  const leaving = await holdOpen((open) => open`select unsubscribe_member(${id!})`);
  await queue();
  await leaving.commit();
  expect(await queued()).toEqual(['b@example.com']);
});

it('an announcement that is queued twice at once goes out once, in random order, so that the first who joined decide nothing', async () => {
  const emails = range(40);
  await queue();
  await join(...emails);
  const other = await holdOpen((open) => open`select queue_announcement('launch', ${template})`);
  await Promise.all([queue(), somebodyWaits().then(() => other.commit())]);
  const order = (await sendAll()).map((sent) => sent.replace('launch to ', ''));
  expect(order.toSorted()).toEqual(emails.toSorted());
  expect(order).not.toEqual(emails);
});

it('a member whose welcome only the cap of the mailbox refused, even after a failed try, gets announcements', async () => {
  const mailbox = 'one';
  for (let round = 0; round < 4; round++) {
    await accept('name@example.com', { mailbox });
    await change('name@example.com', { tries: 1 });
    await sendAll();
    if (round < 3) await unsubscribe(await idOf('name@example.com'));
  }
  await queue();
  expect(await sendAll()).toEqual(['launch to name@example.com']);
});

describe('the delivery of an announcement', () => {
  it('comes after every welcome, with the oldest announcement first', async () => {
    await join('a@example.com');
    for (const name of ['older', 'newer']) await queue(name);
    for (const name of ['b', 'c']) await accept(`${name}@example.com`);
    expect(await sendAll()).toEqual([
      ...['welcome to b@example.com', 'welcome to c@example.com'],
      ...['older to a@example.com', 'newer to a@example.com'],
    ]);
  });

  it.each([
    ['waits', accept],
    ['was sent', join],
  ])('goes to the others while one member is leaving, whose welcome %s', async (_, add) => {
    for (const email of ['a@example.com', 'b@example.com']) await add(email);
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
    expect(await leaseNow()).toBeNull();
    await accept('c@example.com');
    expect(await sendAll()).toEqual(['welcome to c@example.com']);
    // The message that was being sent when it stopped.
    await record(held, 'sent');
    await stop(false);
    expect(await sendAll()).toHaveLength(1);
  });

  it('goes on while the turns of welcomes send nothing', async () => {
    await join('a@example.com', 'b@example.com');
    await queue();
    for (const name of ['a', 'barred']) await accept(`${name}@example.com`);
    await sql`insert into private.never_mailed select address_hash from private.members where email like 'barred%'`;
    for (const _ of range(2)) expect((await leaseTurn())?.id).toEqual(expect.any(String));
    expect((await summarize()).ahead).toBe(0);
  });

  it('ends for a member whose welcome was refused in the end', async () => {
    await join('a@example.com');
    await queue();
    await sql`update private.outbox set state = 'refused', tries = 4 where announcement is null`;
    expect(await sendAll()).toEqual([]);
    const [launch] = await sql`select * from private.outbox where announcement = 'launch'`;
    expect(launch).toMatchObject({ state: 'refused', last_problem: 'the welcome was refused' });
  });

  it('skips members who left, bounced or complained since it was queued', async () => {
    await join('left@example.com', 'bounced@example.com', 'a@example.com');
    await queue();
    await unsubscribe(await idOf('left@example.com'));
    await report('bounced', 'bounced@example.com');
    expect(await sendAll()).toEqual(['launch to a@example.com']);
    expect(await retry()).toBe(0);
  });
});

describe('an announcement stops itself', () => {
  const status = async (name = 'launch') => {
    await takeStock();
    return (await sql`select is_stopped, stopped_because from private.announcements where name = ${name}`)[0];
  };
  const stopped = (reason: string) => ({
    is_stopped: true,
    stopped_because: expect.stringContaining(reason),
  });
  const running = { is_stopped: false, stopped_because: null };

  it('when its own messages come back too often, and goes on with fresh figures when the owner resumes it', async () => {
    await join(...range(13));
    await queue();
    await join(...range(11).map((each) => each.replace('@example.com', '@resend.dev')));
    await queue('other');
    const sendMany = async (count: number, name = 'launch') => {
      for (let index = 0; index < count; index++) await record((await leaseNow())!, 'sent');
      return sql`
        select email, provider_id as message from private.outbox join private.members on members.id = member
        where announcement = ${name} and state = 'sent'`;
    };
    const sent = await sendMany(12);
    const bounce = ({ email, message }: Record<string, string>) => report('bounced', email!, { message });
    for (const each of sent.slice(0, 9)) await bounce(each);
    expect(await status()).toMatchObject(running);
    await bounce(sent[9]!);
    expect(await status()).toMatchObject(stopped('10 of 12'));
    for (const each of await sendMany(13, 'other'))
      if (each['email'].endsWith('@resend.dev')) await bounce(each);
    expect(await status('other'), 'test addresses of the provider').toMatchObject(running);
    expect(await summarize()).toMatchObject({ brake: null });
    await stop(false);
    // A late bounce of what was sent before.
    await bounce(sent[10]!);
    expect(await status()).toMatchObject(running);
  });

  it('when three in a row are rejected, which delays no welcome and refuses nobody', async () => {
    await join(...range(6));
    await queue();
    const outcomes = ['rejected', 'rejected', 'sent', 'rejected', 'rejected', 'rejected'];
    for (const outcome of outcomes) {
      expect(await status()).toMatchObject(running);
      await record((await leaseNow())!, outcome, { problem: 'Resend answered 451' });
    }
    expect(await status()).toMatchObject(stopped('three messages in a row were rejected'));
    expect(await sql`select from private.outbox where state = 'refused'`).toHaveLength(0);
    await accept('visitor@example.com');
    expect((await leaseNow())!).toMatchObject({ email: 'visitor@example.com', wait: 500 });
  });
});
