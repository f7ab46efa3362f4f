import { describe, expect, it } from 'vitest';
import {
  accept,
  entry,
  holdOpen,
  idOf,
  join,
  lease,
  leaseNow,
  leaseTurn,
  members,
  neverMail,
  pass,
  queue,
  range,
  record,
  report,
  retry,
  sendAll,
  setLimit,
  somebodyWaits,
  sql,
  takeStock,
  unsubscribe,
} from './sign-ups.ts';

const email = 'name@example.com';
const dueNow = () => sql`update private.outbox set next_try_at = now() where state = 'waiting'`;

/** Leases the next message and records how its delivery ended. */
async function end(outcome: string, problem: string | null = null, pause: number | null = null) {
  const held = (await leaseNow())!;
  await record(held, outcome, { problem, pause });
  return held;
}

/** How long all deliveries pause, in seconds. */
const pause = async () =>
  (await sql`select date_part('epoch', next_delivery_at - now()) as pause from private.pace`)[0]!['pause'];

describe('a welcome', () => {
  it('is leased to one delivery, oldest first, at the pace of the provider even if leases come late', async () => {
    // The slowest pace, so that all three ask before the next turn.
    await setLimit('deliveries', 1);
    await accept('a@example.com');
    await accept('b@example.com');
    await sql`update private.pace set next_delivery_at = now() - interval '1 hour'`;
    const other = await holdOpen((open) => open`select from private.pace for update`);
    const asked = [lease(), lease(), lease()];
    await somebodyWaits(2);
    await other.commit();
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer?.id)).toMatchObject([{ email: 'a@example.com', wait: 1000 }]);
    for (const answer of answers) expect(answer!.wait).toBeGreaterThan(0);
    const [row] = await sql`select list_outbox() as listed, find_member('b@example.com') as found`;
    for (const due of [row!['listed'][1], row!['found'].messages[0]]) expect(due.next_try_at).toBeNull();
    expect((await leaseNow())!.email).toBe('b@example.com');
    expect((await lease())!.id).toBeUndefined();
  });

  it('is not leased while an earlier delivery records that it was sent', async () => {
    await accept(email);
    const first = (await leaseNow())!;
    await sql`update private.outbox set next_try_at = now() - interval '1 second'`;
    const recording = await holdOpen((open) => open`select record_sent(${first.id}, 'provider id')`);
    const second = leaseTurn();
    await Promise.race([second, somebodyWaits()]);
    await recording.commit();
    expect(await second).toBeNull();
    expect(await entry(email)).toMatchObject({ state: 'sent', lease: null });
  });

  it('is not waited for by whoever asks too early, so that many deliveries at once delay no sign-up', async () => {
    await accept(email);
    await sql`update private.pace set next_delivery_at = now() + interval '5 seconds'`;
    const other = await holdOpen((open) => open`select from private.pace for update`);
    const early = await lease();
    await other.commit();
    expect(early!.id).toBeUndefined();
    expect(early!.wait).toBeGreaterThan(3000);
  });

  it('is leased again under the same id after a delivery died', async () => {
    await accept(email);
    const first = (await leaseNow())!;
    // A call to the provider may take half a minute.
    await sql`update private.outbox set next_try_at = next_try_at - interval '35 seconds'`;
    expect(await leaseNow()).toBeNull();
    await sql`update private.outbox set next_try_at = next_try_at - interval '30 seconds'`;
    const second = (await leaseNow())!;
    expect({ ...second, lease: first.lease, wait: 0 }).toEqual({ ...first, wait: 0 });
    expect(second.lease).not.toBe(first.lease);
    // The first delivery continues, but its failure is outdated.
    await record(first, 'refused', { problem: 'old' });
    expect(await entry(email)).toMatchObject({ state: 'waiting', last_problem: null });
    // Its success is still recorded.
    await record(first, 'sent');
    expect(await entry(email)).toMatchObject({ state: 'sent' });
  });

  it('is sent before the second one of another caller, known address or not, and unknown callers are all first', async () => {
    for (const name of ['a', 'b', 'a', 'c']) await accept(`${name}@example.com`, { caller: 'stranger' });
    for (const name of ['visitor', 'neighbor']) await accept(`${name}@example.com`, { caller: 'shared' });
    for (const name of ['x', 'y']) await accept(`${name}@example.com`, { caller: null });
    const order = ['a', 'visitor', 'x', 'y', 'b', 'neighbor', 'c'];
    expect(await sendAll()).toEqual(order.map((name) => `welcome to ${name}@example.com`));
  });
});

describe('a failed delivery', () => {
  it.each(['failed', 'unanswered'])('is repeated later and later, under the same id: %s', async (outcome) => {
    await accept(email);
    const ids = new Set<string>();
    for (const wait of [60, 240, 960, 3600, 3600]) {
      await dueNow();
      ids.add((await end(outcome, 'Resend answered 500')).id);
      const [row] = await sql`select date_part('epoch', next_try_at - now()) as wait from private.outbox`;
      expect(Math.abs(row!['wait'] - wait)).toBeLessThan(5);
    }
    expect(ids.size).toBe(1);
  });

  it('stays uncertain when it is paused after a lost answer, and forgets its problems once it is sent', async () => {
    await accept(email);
    await end('unanswered', 'AbortError');
    const { uncertain_since } = (await entry(email))!;
    await dueNow();
    await end('paused', 'quota', 1);
    expect(await entry(email)).toMatchObject({ uncertain_since, tries: 1, last_problem: 'quota' });
    await dueNow();
    expect(await sendAll()).toHaveLength(1);
    expect(await entry(email)).toMatchObject({ state: 'sent', uncertain_since: null, last_problem: null });
  });

  it('ends as unknown when its mailbox is barred after an answer was lost', async () => {
    await accept(email);
    await end('unanswered', 'AbortError');
    await neverMail(email).then(dueNow);
    expect([await leaseNow(), (await entry(email))?.['state']]).toEqual([null, 'unknown']);
  });

  it('ends as unknown when its recipient is refused after an answer was lost', async () => {
    await accept(email);
    await end('unanswered', 'AbortError').then(dueNow);
    await end('refused', 'Resend answered 422');
    expect([await retry(), (await entry(email))?.['state']]).toEqual([0, 'unknown']);
  });

  it('is queued again like that of a new member: with the same text, and as many tries', async () => {
    await accept(email, { message: '{"subject":"Broken","html":"","text":""}' });
    await end('rejected', 'Resend answered 451').then(() => sql`update private.outbox set state = 'refused'`);
    await accept('new@example.com');
    expect(await retry()).toBe(1);
    expect(await sql`select distinct template, rejections, rejected_at from private.outbox`).toHaveLength(1);
  });

  it('ends as unknown a day after an answer was lost, because the provider has forgotten its id', async () => {
    await accept(email);
    const { id } = await end('unanswered', 'AbortError');
    await sql`update private.outbox set uncertain_since = now() - interval '24 hours', next_try_at = now()`;
    await sql`update private.pace set next_delivery_at = now()`;
    expect(await lease(), 'before the next count').toMatchObject({ id: null });
    expect(await entry(email)).toMatchObject({ state: 'unknown', tries: 1, last_problem: 'AbortError' });
    await sql`update private.outbox set state = 'waiting'`.then(takeStock);
    expect(await entry(email)).toMatchObject({ state: 'unknown', tries: 1 });
    expect(await retry()).toBe(0);
    expect(await retry(null, true)).toBe(1);
    // The first try under a new id, so the provider cannot have accepted it before.
    const second = await end('paused', 'quota', 3600);
    expect(await entry(email)).toMatchObject({ tries: 0, uncertain_since: expect.any(Date) });
    expect(new Set([id, second.id, (await entry(email))!['id']]).size).toBe(3);
  });

  it('is repeated for as long as the provider answers with an error, which accepts nothing', async () => {
    await accept(email);
    for (let hour = 0; hour < 30; hour++) {
      await end('failed', 'Resend answered 503');
      await sql`
        update private.outbox set next_try_at = now(), accepted_at = accepted_at - interval '1 hour',
          uncertain_since = uncertain_since - interval '1 hour'`;
    }
    // Under the same id, in case a gateway answered for a provider that accepted it.
    const { id } = await end('paused', 'Resend answered 429', 1);
    expect(await end('sent')).toMatchObject({ email, id });
  });
});

describe('an answer that is about nobody in particular', () => {
  it('lets all wait for as long as it says, and then the next in the usual order is tried', async () => {
    for (const each of range(3)) await accept(each);
    for (let round = 0; round < 3; round++) {
      expect(await pause()).toBeLessThan(2);
      await end('paused', 'Resend answered 401', 180);
      expect(await pause()).toBeGreaterThan(170);
      await pass('3 minutes');
      await sql`update private.pace set next_delivery_at = now()`;
    }
    expect(await sql`select from private.outbox where state <> 'waiting' or tries > 0`).toHaveLength(0);
    // A visitor who came meanwhile does not wait for those that were tried.
    await accept('visitor@example.com');
    await sql`update private.outbox set next_try_at = now() + interval '1 hour' where mailbox_hash not like '%visitor%'`;
    expect(await sendAll()).toEqual(['welcome to visitor@example.com']);
    await dueNow();
    expect(await sendAll()).toHaveLength(3);
  });

  it('is not forgotten when another outcome is recorded at the same moment, and never ends a longer pause', async () => {
    for (const each of range(3)) await accept(each);
    const [first, second, third] = [(await leaseNow())!, (await leaseNow())!, (await leaseNow())!];
    const recording = await holdOpen((open) =>
      record(first, 'paused', { problem: 'quota', pause: 3600 }, open),
    );
    const others = Promise.all([
      record(second, 'paused', { problem: 'key', pause: 180 }),
      record(third, 'sent'),
    ]);
    await Promise.race([others, somebodyWaits()]);
    await recording.commit();
    await others;
    expect(await pause()).toBeGreaterThan(3500);
  });
});

describe('an answer that is about one message', () => {
  it('refuses a welcome after four rejections while others are sent', async () => {
    await accept('toxic@example.com');
    for (let round = 1; round <= 4; round++) {
      expect((await end('rejected', 'Resend answered 451')).email).toBe('toxic@example.com');
      expect(await pause()).toBeLessThan(2);
      await accept(`visitor${round}@example.com`);
      expect(await sendAll()).toEqual([`welcome to visitor${round}@example.com`]);
      await dueNow();
    }
    expect(await sql`select last_problem from private.outbox where state = 'refused'`).toEqual([
      { last_problem: 'Resend answered 451' },
    ]);
  });

  it('refuses no welcome while the provider accepts no other one either', async () => {
    for (const each of range(4)) await accept(each);
    for (let round = 0; round < 6; round++) {
      for (let index = 0; index < 4; index++) await end('rejected', 'Resend answered 422');
      await dueNow();
    }
    expect(await sendAll()).toHaveLength(4);
  });

  it('refuses a message of an announcement after four rejections, even the last one', async () => {
    await join('toxic@example.com');
    await queue();
    for (const _ of range(4)) await end('rejected', 'Resend answered 451').then(dueNow);
    expect(await sql`select state from private.outbox where announcement = 'launch'`).toEqual([
      { state: 'refused' },
    ]);
  });

  it.each(['rejected', 'paused'])('gets a new id unless it may have been accepted: %s', async (outcome) => {
    await accept(email);
    const { id } = await end(outcome, 'Resend answered 422');
    const renewed = (await entry(email))!;
    expect(renewed['id']).not.toBe(id);
    await dueNow();
    await end('unanswered').then(dueNow);
    await end(outcome, 'Resend answered 422');
    expect(await entry(email)).toMatchObject({ id: renewed['id'], turn: 0 });
  });
});

it('a known address takes one place in the order of deliveries, and repeating it delays only itself', async () => {
  await join('known@example.com');
  for (let caller = 0; caller < 60; caller++) await accept('known@example.com', { caller: `${caller}` });
  // The privacy policy allows no fingerprint of a call after an hour, and a place may wait longer.
  expect(await sql`select from private.outbox where member is null and mailbox_hash is not null`).toEqual([]);
  for (const name of ['a', 'b']) await accept(`${name}@example.com`);
  const turns = [];
  for (let turn = 0; turn < 4; turn++) turns.push(await leaseTurn());
  expect(turns.map((turn) => turn!.email)).toEqual(['a@example.com', 'b@example.com', undefined, undefined]);
  expect(new Set(turns.map((turn) => turn!.wait)).size).toBe(1);
});

it('a message whose member is gone holds up nobody', async () => {
  await sql`insert into private.outbox (member) values (gen_random_uuid())`;
  await accept('name@example.com');
  expect((await leaseTurn())?.id).toBeNull();
  expect((await leaseTurn())?.email).toBe('name@example.com');
});

describe('the cap of a mailbox', () => {
  const spell = (index: number) => `name+${index}@example.com`;
  const signUp = (index: number) => accept(spell(index), { mailbox: 'name' });

  it('lets three welcomes in 30 days and one of each announcement through, and the rest use up their turns', async () => {
    for (let index = 0; index < 6; index++) await signUp(index);
    const turns = [];
    for (let turn = await leaseTurn(); turn; turn = await leaseTurn()) {
      turns.push(turn.email);
      expect(turn.wait).toBeGreaterThan(0);
      if (turn.id) await record(turn, 'sent');
    }
    expect(turns).toEqual([spell(0), spell(1), spell(2), undefined, undefined, undefined]);
    expect(await members()).toHaveLength(6);
    expect(
      await sql`select distinct last_problem as problem from private.outbox where state = 'refused'`,
    ).toEqual([{ problem: expect.stringContaining('already had three welcomes') }]);
    await queue();
    expect(await sendAll()).toHaveLength(1);
    expect(await retry()).toBe(0);
    await pass('31 days');
    await signUp(6);
    expect(await sendAll()).toEqual([`welcome to ${spell(6)}`]);
    await queue();
    expect(await sendAll()).toEqual([]);
  });

  it('still applies to a member who leaves and comes back, to welcomes and announcements', async () => {
    const got: string[] = [];
    for (let index = 0; index < 5; index++) {
      await signUp(index);
      got.push(...(await sendAll()));
      await queue();
      got.push(...(await sendAll()));
      await unsubscribe(await idOf(spell(index)));
    }
    const welcomes = [0, 1, 2].map((index) => `welcome to ${spell(index)}`);
    expect(got).toEqual(welcomes.toSpliced(1, 0, `launch to ${spell(0)}`));
    expect(await sql`select from private.outbox`, 'what was refused is forgotten').toHaveLength(4);
    await pass('29 days');
    await signUp(9);
    expect(await sendAll()).toEqual([]);
  });

  it('counts messages that may have been sent, but not those that the provider never accepted or that came back', async () => {
    for (let index = 0; index < 7; index++) await signUp(index);
    await end('refused', 'Resend answered 422');
    for (let index = 1; index < 4; index++) {
      await end('sent');
      await report('bounced', spell(index), { isFinal: index > 1 });
    }
    for (let index = 0; index < 3; index++) await end('unanswered', 'TimeoutError');
    await signUp(7);
    expect(await leaseNow()).toBeNull();
    await dueNow();
    // They do not count against themselves.
    expect(await sendAll()).toHaveLength(3);
  });
});
