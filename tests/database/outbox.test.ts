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
  queue,
  range,
  record,
  retry,
  sendAll,
  setLimit,
  somebodyWaits,
  sql,
  unsubscribe,
} from './sign-ups.ts';

const email = 'name@example.com';
const dueNow = () => sql`update private.outbox set next_try_at = now() where state = 'waiting'`;

/** Leases the next message and records how its delivery ended. */
async function end(outcome: string, problem: string | null = null, retryAfter: number | null = null) {
  const held = (await leaseNow())!;
  await record(held, outcome, { problem, retryAfter });
  return held;
}

/** How long all deliveries pause, in seconds. */
const pause = async () =>
  (await sql`select extract(epoch from next_delivery_at - now())::float as pause from private.pace`)[0]![
    'pause'
  ];

describe('a welcome', () => {
  it('is leased to one delivery, oldest first, at the pace of the provider even if leases come late', async () => {
    // The slowest pace, so that all three ask before the next turn.
    await setLimit('deliveries', 1);
    await accept('a@example.com');
    await accept('b@example.com');
    await sql`update private.pace set next_delivery_at = now() - interval '1 hour'`;
    const answers = await Promise.all([lease(), lease(), lease()]);
    expect(answers.filter((answer) => answer!.id)).toMatchObject([{ email: 'a@example.com', wait: 1000 }]);
    for (const answer of answers) expect(answer!.wait).toBeGreaterThan(0);
    expect((await leaseNow())!.email).toBe('b@example.com');
    expect((await lease())!.id).toBeNull();
  });

  it('is not leased while an earlier delivery records that it was sent, and not asked for again at once', async () => {
    await accept(email);
    const first = (await leaseNow())!;
    await sql`update private.outbox set next_try_at = now() - interval '1 second'`;
    const recording = await holdOpen(
      (open) => open`select record_delivery(${first.id}, ${first.lease}, 'sent', 'provider id', null, null)`,
    );
    const second = leaseTurn();
    await Promise.race([second, somebodyWaits()]);
    await recording.commit();
    expect((await second)!.id).toBeNull();
    expect((await second)!.wait).toBeGreaterThan(0);
    expect(await entry(email)).toMatchObject({ state: 'sent', lease: null });
  });

  it('is leased again under the same id after a delivery died', async () => {
    await accept(email);
    const first = (await leaseNow())!;
    // A call to the provider may take half a minute.
    await sql`update private.outbox set next_try_at = next_try_at - interval '35 seconds'`;
    expect(await leaseNow()).toBeUndefined();
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
  it('is repeated later and later, at most every 15 minutes, under the same id', async () => {
    await accept(email);
    const ids = new Set<string>();
    for (const wait of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]) {
      await dueNow();
      ids.add((await end('failed', 'Resend answered 500')).id);
      const [row] =
        await sql`select extract(epoch from next_try_at - now())::float as wait from private.outbox`;
      expect(Math.abs(row!['wait'] - wait)).toBeLessThan(5);
    }
    expect(ids.size).toBe(1);
  });

  it('counts no try when the provider asks for a pause, and all others wait too', async () => {
    await accept(email);
    await accept('other@example.com');
    await end('postponed', 'quota', 3600);
    expect(await entry(email)).toMatchObject({ state: 'waiting', tries: 0, uncertain_since: null });
    expect(await pause()).toBeGreaterThan(3500);
    // Days later, it is still sent.
    await sql`update private.outbox set accepted_at = now() - interval '9 days', next_try_at = now()`;
    expect(await sendAll()).toHaveLength(2);
  });

  it('stays uncertain when it is postponed after a lost answer, and forgets its problems once it is sent', async () => {
    await accept(email);
    await end('unanswered', 'AbortError');
    const { uncertain_since } = (await entry(email))!;
    await dueNow();
    await end('postponed', 'quota', 1);
    expect(await entry(email)).toMatchObject({ uncertain_since, tries: 1, last_problem: 'quota' });
    expect(await sendAll()).toHaveLength(1);
    expect(await entry(email)).toMatchObject({ state: 'sent', uncertain_since: null, last_problem: null });
  });

  it('ends as unknown a day after an answer was lost, because the provider has forgotten its id', async () => {
    await accept(email);
    const { id } = await end('unanswered', 'AbortError');
    await sql`update private.outbox set uncertain_since = now() - interval '24 hours', next_try_at = now()`;
    expect(await leaseNow()).toBeUndefined();
    expect(await entry(email)).toMatchObject({ state: 'unknown', last_problem: 'AbortError' });
    expect(await retry()).toBe(0);
    expect(await retry(null, true)).toBe(1);
    // The first try under a new id, so the provider cannot have accepted it before.
    expect((await end('postponed', 'quota', 3600)).id).not.toBe(id);
    expect(await entry(email)).toMatchObject({ tries: 0, uncertain_since: null });
  });

  it('is repeated for as long as the provider answers with an error, which accepts nothing', async () => {
    await accept(email);
    for (let hour = 0; hour < 30; hour += 6) {
      await end('failed', 'Resend answered 503');
      await sql`
        update private.outbox set next_try_at = now(), accepted_at = accepted_at - interval '6 hours',
          uncertain_since = uncertain_since - interval '6 hours'`;
    }
    expect(await sendAll()).toEqual([`welcome to ${email}`]);
  });
});

describe('a problem of the sender', () => {
  it.each([
    ['after one answer that says so', 'blocked', 1],
    ['after three rejections alike', 'rejected', 3],
  ])(
    'lets one message try every three minutes %s, the least tried first, until one is sent',
    async (_, outcome, first) => {
      for (const each of range(4)) await accept(each);
      const tried: string[] = [];
      for (let index = 0; index < first; index++) {
        expect(await pause()).toBeLessThan(2);
        tried.push((await end(outcome, 'Resend answered 4xx')).email);
      }
      for (let index = first; index < 8; index++) {
        await dueNow();
        expect(await pause()).toBeGreaterThan(170);
        tried.push((await end(outcome, 'Resend answered 4xx')).email);
      }
      // Each of the four once, then each of them again.
      for (const half of [tried.slice(0, 4), tried.slice(4)]) expect(new Set(half).size).toBe(4);
      expect(await sql`select from private.outbox where state <> 'waiting'`).toHaveLength(0);
      await dueNow();
      await end('sent');
      expect(await pause()).toBeLessThan(2);
      expect(await sendAll()).toHaveLength(3);
    },
  );

  it('is not assumed while messages are accepted or refused in between', async () => {
    for (const each of range(8)) await accept(each);
    for (const outcome of [
      'rejected',
      'rejected',
      'sent',
      'rejected',
      'rejected',
      'refused',
      'rejected',
      'rejected',
    ])
      await end(outcome, 'Resend answered 422');
    expect(await pause()).toBeLessThan(2);
  });

  it('is not forgotten when another outcome is recorded at the same moment', async () => {
    for (const each of range(2)) await accept(each);
    const [first, second] = [(await leaseNow())!, (await leaseNow())!];
    const recording = await holdOpen((open) => record(first, 'blocked', {}, open));
    const other = record(second, 'failed');
    await Promise.race([other, somebodyWaits()]);
    await recording.commit();
    await other;
    expect(await pause()).toBeGreaterThan(170);
  });

  it('never ends a longer pause of the provider', async () => {
    for (const each of range(3)) await accept(each);
    const held = [(await leaseNow())!, (await leaseNow())!, (await leaseNow())!];
    await record(held[0]!, 'postponed', { problem: 'quota', retryAfter: 3600 });
    for (const outcome of ['blocked', 'sent']) await record(held.at(outcome === 'sent' ? 2 : 1)!, outcome);
    expect(await pause()).toBeGreaterThan(3500);
  });
});

describe('a problem of one message', () => {
  it.each(['blocked', 'rejected'])(
    'refuses it after three tries if others are sent meanwhile: %s',
    async (outcome) => {
      await accept('toxic@example.com');
      for (let round = 1; round <= 3; round++) {
        expect((await end(outcome, 'Resend answered 4xx')).email).toBe('toxic@example.com');
        await accept(`visitor${round}@example.com`);
        expect(await sendAll()).toEqual([`welcome to visitor${round}@example.com`]);
        await dueNow();
      }
      expect(await entry('toxic@example.com')).toMatchObject({ state: 'refused' });
    },
  );

  it('does not put it last: it keeps its turn, and a new id unless an earlier try may have been accepted', async () => {
    await accept(email);
    const { id } = await end('rejected', 'Resend answered 422');
    const { turn, ...renewed } = (await entry(email))!;
    expect(turn).toBe(0);
    expect(renewed['id']).not.toBe(id);
    await dueNow();
    await end('unanswered');
    await dueNow();
    await end('rejected', 'Resend answered 422');
    expect((await entry(email))!['id']).toBe(renewed['id']);
  });
});

it('a known address that signs up again takes a place in the order of deliveries, like a new one, and is sent nothing', async () => {
  await join('known@example.com');
  for (const name of ['a', 'known', 'new', 'b']) await accept(`${name}@example.com`, { caller: 'own' });
  for (const email of ['a@example.com', null, 'new@example.com', 'b@example.com'])
    expect(await leaseTurn()).toMatchObject({ email, wait: 500 });
  expect((await leaseTurn())!.id).toBeNull();
});

describe('the cap of a mailbox', () => {
  const spell = (index: number) => `name+${index}@example.com`;
  const signUp = (index: number) => accept(spell(index), { mailbox: 'name' });

  it('lets three welcomes and one of each announcement through in 30 days, and the rest use up their turns', async () => {
    for (let index = 0; index < 6; index++) await signUp(index);
    const turns = [];
    for (let turn = await leaseTurn(); turn; turn = await leaseTurn()) {
      turns.push(turn.email);
      expect(turn.wait).toBeGreaterThan(0);
      if (turn.id) await record(turn, 'sent');
    }
    expect(turns).toEqual([spell(0), spell(1), spell(2), null, null, null]);
    expect(await members()).toHaveLength(6);
    expect(
      await sql`select distinct last_problem as problem from private.outbox where state = 'refused'`,
    ).toEqual([{ problem: expect.stringContaining('already has three welcomes') }]);
    await queue();
    expect(await sendAll()).toHaveLength(1);
    expect(await retry()).toBe(0);
    await sql`update private.outbox set sent_at = sent_at - interval '31 days'`;
    await signUp(6);
    expect(await sendAll()).toEqual([`welcome to ${spell(6)}`]);
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
    await sql`update private.former_members set left_at = left_at - interval '31 days'`;
    await signUp(9);
    expect(await sendAll()).toEqual([`welcome to ${spell(9)}`]);
  });

  it('counts messages that may have been sent, but not those that the provider never accepted', async () => {
    for (let index = 0; index < 4; index++) await signUp(index);
    await end('refused', 'Resend answered 422');
    for (let index = 0; index < 3; index++) await end('unanswered', 'TimeoutError');
    await signUp(4);
    expect(await leaseNow()).toBeUndefined();
    await dueNow();
    // They do not count against themselves.
    expect(await sendAll()).toHaveLength(3);
  });
});
