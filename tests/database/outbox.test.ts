import { describe, expect, it } from 'vitest';
import { holdOpen, somebodyWaits } from './hold-open.ts';
import {
  accept,
  entry,
  lease,
  leaseNow,
  leaseTurn,
  type Leased,
  unsubscribe,
  members,
  record,
  sendAll,
  setLimit,
  sql,
  template,
  tokenOf,
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
  it('is leased to one delivery, oldest first, at the pace of the provider', async () => {
    // The slowest pace, so that all three ask before the next turn.
    await setLimit('deliveries', 1);
    await accept('a@example.com');
    await accept('b@example.com');
    const answers = await Promise.all([lease(), lease(), lease()]);
    expect(answers.flatMap((answer) => answer?.email ?? [])).toEqual(['a@example.com']);
    for (const answer of answers) if (!answer?.id) expect(answer?.wait).toBeGreaterThan(0);
    expect((await leaseNow())!.email).toBe('b@example.com');
    expect(await lease()).toBeUndefined();
  });

  it('keeps the pace even if leases come a little late', async () => {
    for (const name of ['a', 'b', 'c']) await accept(`${name}@example.com`);
    await sql`update private.pace set next_delivery_at = now() - interval '100 milliseconds'`;
    expect((await lease())!.wait).toBeLessThanOrEqual(400);
    await sql`update private.pace set next_delivery_at = now() - interval '1 hour'`;
    expect((await lease())!.wait).toBe(250);
  });

  it('is leased again under the same id after a delivery died', async () => {
    await accept(email);
    const first = (await leaseNow())!;
    // A call to the provider may take half a minute.
    await sql`update private.outbox set leased_until = leased_until - interval '35 seconds'`;
    expect(await leaseNow()).toBeUndefined();
    await sql`update private.outbox set leased_until = leased_until - interval '30 seconds'`;
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

  it('is not leased while an earlier delivery records that it was sent', async () => {
    await accept(email);
    const first = (await leaseNow())!;
    await sql`update private.outbox set leased_until = now() - interval '1 second'`;
    const recording = await holdOpen(
      (open) => open`select record_delivery(${first.id}, ${first.lease}, 'sent', 'provider id', null, null)`,
    );
    const second = leaseTurn();
    await Promise.race([second, somebodyWaits()]);
    await recording.commit();
    expect((await second)?.id ?? null).toBeNull();
    expect(await entry(email)).toMatchObject({ state: 'sent', lease: null });
  });

  // Callers without an IP address take turns as if they were one.
  it.each(['stranger', null])('is sent before the second one of another caller: %s', async (caller) => {
    for (const name of ['a', 'b', 'c']) await accept(`${name}@example.com`, { caller });
    await accept('visitor@example.com');
    const order = ['a', 'visitor', 'b', 'c'].map((name) => `welcome to ${name}@example.com`);
    expect(await sendAll()).toEqual(order);
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

  it('stays uncertain when it is postponed after a failure, and forgets its problems once it is sent', async () => {
    await accept(email);
    await end('failed', 'AbortError');
    const { uncertain_since } = (await entry(email))!;
    await dueNow();
    await end('postponed', 'quota', 1);
    expect(await entry(email)).toMatchObject({ uncertain_since, tries: 1, last_problem: 'quota' });
    expect(await sendAll()).toHaveLength(1);
    expect(await entry(email)).toMatchObject({ state: 'sent', uncertain_since: null, last_problem: null });
  });

  it('ends as unknown after a day, because the provider has forgotten its id, and only the owner sends it again', async () => {
    await accept(email);
    const { id } = await end('failed', 'AbortError');
    await sql`update private.outbox set uncertain_since = now() - interval '24 hours', next_try_at = now()`;
    expect(await leaseNow()).toBeUndefined();
    expect(await entry(email)).toMatchObject({ state: 'unknown', last_problem: 'AbortError' });
    expect(await sql`select retry_outbox() as changed`).toEqual([{ changed: 0 }]);
    expect(await sql`select retry_outbox(with_unknown => true) as changed`).toEqual([{ changed: 1 }]);
    // The first try under a new id, so the provider cannot have accepted it before.
    expect((await end('postponed', 'quota', 3600)).id).not.toBe(id);
    expect(await entry(email)).toMatchObject({ tries: 0, uncertain_since: null });
  });

  it('is repeated later and later while the provider blocks it, counts no try, and holds up nobody', async () => {
    await accept(email);
    for (const wait of [5, 10, 20, 40, 60, 60]) {
      await dueNow();
      await end('blocked', 'Resend answered 403');
      const [row] =
        await sql`select extract(epoch from next_try_at - now())::float as wait from private.outbox`;
      expect(Math.abs(row!['wait'] - wait * 60)).toBeLessThan(5);
    }
    expect(await entry(email)).toMatchObject({ state: 'waiting', tries: 0, uncertain_since: null });
    await dueNow();
    await accept('other@example.com');
    expect((await leaseNow())!.email).toBe('other@example.com');
  });
});

describe('the same refusal of three different messages in a row', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];

  it.each(['blocked', 'rejected'])(
    'pauses everything when they are %s, and refuses nothing for good',
    async (outcome) => {
      for (const name of names) await accept(`${name}@example.com`);
      for (let index = 0; index < 3; index++) {
        expect(await pause()).toBeLessThan(2);
        await end(outcome, 'Resend answered 4xx');
      }
      expect(await pause()).toBeGreaterThan(4 * 60);
      expect(await sql`select from private.outbox where state <> 'waiting'`).toHaveLength(0);
      // One try after the pause, then the next pause.
      await dueNow();
      await end(outcome, 'Resend answered 4xx');
      expect(await pause()).toBeGreaterThan(4 * 60);
      await dueNow();
      expect(await sendAll()).toHaveLength(6);
    },
  );

  it.each([
    ['one was sent', 'sent', null],
    ['one recipient was refused', 'refused', 'Resend answered 422'],
    ['one had another problem', 'rejected', 'Resend answered 451'],
  ])('does not count if in between %s', async (_, outcome, problem) => {
    for (const name of names) await accept(`${name}@example.com`);
    await end('rejected', 'same');
    await end('rejected', 'same');
    await end(outcome, problem);
    await end('rejected', 'same');
    expect(await pause()).toBeLessThan(2);
    expect(
      await sql`select from private.outbox where last_problem = 'same' and state = 'refused'`,
    ).toHaveLength(3);
  });

  it('never ends a longer pause of the provider', async () => {
    const held: Leased[] = [];
    for (const name of names) await accept(`${name}@example.com`);
    for (const _ of names) held.push((await leaseNow())!);
    await record(held[0]!, 'postponed', { problem: 'quota', retryAfter: 3600 });
    await record(held[1]!, 'postponed', { problem: 'rate', retryAfter: 1 });
    for (const message of held.slice(2)) await record(message, 'blocked');
    expect(await pause()).toBeGreaterThan(3500);
    // The owner reads why it takes so long.
    expect(await sql`select problem from summarize_waitlist()`).toEqual([{ problem: 'quota' }]);
  });
});

describe('a known address that signs up again', () => {
  it('takes a place in the order of deliveries, like a new one, and is sent nothing', async () => {
    await accept('known@example.com');
    await sendAll();
    const sender = { caller: 'own' };
    for (const target of ['known@example.com', 'new@example.com']) {
      for (const name of ['a', target, 'b'])
        await accept(name === target ? target : `${name}-of-${target}`, sender);
      const turns = [await leaseTurn(), await leaseTurn(), await leaseTurn()];
      expect(turns.map((turn) => turn!.email ?? null)).toEqual([
        `a-of-${target}`,
        target === 'known@example.com' ? null : target,
        `b-of-${target}`,
      ]);
      for (const turn of turns) expect(turn!.wait).toBeGreaterThan(400);
      expect(await leaseTurn()).toBeUndefined();
    }
    expect(await sql`select from private.outbox where member is null`).toHaveLength(0);
  });

  it('is behind its caller’s earlier calls, and appears in no figures', async () => {
    await accept('a@example.com', { caller: 'one' });
    await accept('a@example.com', { caller: 'one' });
    await accept('b@example.com');
    expect((await leaseTurn())!.email).toBe('a@example.com');
    expect((await leaseTurn())!.email).toBe('b@example.com');
    const [summary] = await sql`select members::int, waiting::int from summarize_waitlist()`;
    expect(summary).toEqual({ members: 2, waiting: 2 });
    expect(await sql`select from list_outbox()`).toHaveLength(2);
  });
});

describe('the cap of a mailbox', () => {
  const spell = (index: number) => `name+${index}@example.com`;
  const signUp = (index: number) => accept(spell(index), { mailbox: 'name' });

  it('lets three welcomes through, from any number of callers, and the rest use up their turns', async () => {
    for (let index = 0; index < 8; index++) await signUp(index);
    const turns = [];
    for (let turn = await leaseTurn(); turn; turn = await leaseTurn()) {
      turns.push(turn.email);
      expect(turn.wait).toBeGreaterThan(0);
      if (turn.id) await record(turn, 'sent');
    }
    expect(turns).toEqual([spell(0), spell(1), spell(2), null, null, null, null, null]);
    expect(await members()).toHaveLength(8);
    expect(await sql`select distinct problem from list_outbox()`).toEqual([
      { problem: expect.stringContaining('already has three welcomes') },
    ]);
    expect(await sql`select retry_outbox() as retried`).toEqual([{ retried: 0 }]);
    await sql`update private.outbox set sent_at = sent_at - interval '1 year', accepted_at = accepted_at - interval '1 year'`;
    await signUp(8);
    expect(await sendAll()).toEqual([]);
  });

  it('ends for those who left', async () => {
    for (let index = 0; index < 3; index++) await signUp(index);
    await sendAll();
    await unsubscribe(tokenOf(spell(0)));
    await signUp(0);
    expect(await sendAll()).toEqual([`welcome to ${spell(0)}`]);
  });

  it('counts messages that may have been sent, but not those that the provider never accepted', async () => {
    for (let index = 0; index < 4; index++) await signUp(index);
    await end('refused', 'Resend answered 422');
    for (let index = 0; index < 3; index++) await end('failed', 'TimeoutError');
    await signUp(4);
    expect(await leaseNow()).toBeUndefined();
    await dueNow();
    // They do not count against themselves.
    expect(await sendAll()).toHaveLength(3);
  });

  it('is one for each announcement', async () => {
    for (let index = 0; index < 3; index++) await signUp(index);
    await sendAll();
    for (const name of ['launch', 'beta']) {
      await sql`select queue_announcement(${name}, ${template})`;
      expect(await sendAll()).toHaveLength(1);
    }
    const [progress] =
      await sql`select sent::int, refused::int, waiting::int from private.list_announcements() where name = 'beta'`;
    expect(progress).toEqual({ sent: 1, refused: 2, waiting: 0 });
  });
});
