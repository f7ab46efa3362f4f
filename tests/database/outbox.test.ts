import postgres from 'postgres';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { databaseUrl } from './database.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';

const sql = postgres(databaseUrl, { max: 20, onnotice: () => {} });
afterAll(() => sql.end());

let usual: postgres.RowList<postgres.Row[]>;
beforeEach(async () => {
  await sql`delete from private.outbox`;
  await sql`delete from private.calls`;
  await sql`delete from private.accepted_calls`;
  await sql`delete from private.mailbox_deliveries`;
  await sql`delete from private.used_tokens`;
  await sql`delete from waitlist_emails`;
  await sql`update private.pace set next_delivery_at = now(), blocked = '{}'`;
  usual = await sql`select name, value from private.limits`;
});
afterEach(async () => {
  for (const { name, value } of usual)
    await sql`update private.limits set value = ${value} where name = ${name}`;
});

interface Caller {
  caller?: string | null;
  network?: string | null;
  mailbox?: string;
  message?: string | null;
}

/** Accepts an address as the email function does. The token of the member contains the address. */
async function accept(
  email: string,
  {
    caller = 'caller',
    network = null,
    mailbox = `mailbox of ${email}`,
    message = `message for ${email}`,
  }: Caller = {},
) {
  const [answer] = await sql`
    select outcome, retry_after from accept_sign_up(
      ${email}, ${message}, ${crypto.randomUUID()}, ${`token of ${email}`}, ${caller}, ${network}, ${email}, ${mailbox})`;
  return answer as { outcome: 'accepted' | 'limited'; retry_after: number | null };
}

const limited = { outcome: 'limited', retry_after: expect.any(Number) };

/** Expects a refusal until the next hour or day begins (UTC), in whole minutes. */
function expectLimitedUntilNext(span: 'hour' | 'day', answer: Awaited<ReturnType<typeof accept>>): void {
  expect(answer).toEqual(limited);
  const milliseconds = { hour: 3_600_000, day: 86_400_000 }[span];
  expect((Date.now() + answer.retry_after! * 1000) % milliseconds).toBeLessThan(120_000);
}

async function leave(token: string): Promise<boolean> {
  return (await sql`select has_left from leave_waitlist(${token})`)[0]!['has_left'];
}

async function lease() {
  const [row] = await sql`select * from lease_delivery()`;
  return row as { id: string; lease: string; message: string; wait: number | null } | undefined;
}

/** Leases the next welcome without waiting for the pace of deliveries. */
async function leaseNow() {
  await sql`update private.pace set next_delivery_at = now()`;
  return (await lease())!;
}

async function record(
  { id, lease: held }: { id: string; lease: string },
  outcome: string,
  { problem = null as string | null, retryAfter = null as number | null } = {},
) {
  await sql`select record_delivery(${id}, ${held}, ${outcome}, 'provider id', ${problem}, ${retryAfter})`;
}

const entry = async (email: string) => (await sql`select * from private.outbox where email = ${email}`)[0];
const members = async () =>
  (await sql`select email from waitlist_emails order by email`).map(({ email }) => email);
const setLimit = (name: string, value: number) =>
  sql`update private.limits set value = ${value}, lowest = least(lowest, ${value}::int) where name = ${name}`;
/** Moves everything that the limits count into the past. */
async function pass(interval: string) {
  await sql`update private.calls set at = at - ${interval}::interval`;
  await sql`update private.accepted_calls set hour = hour - ${interval}::interval`;
  await sql`update private.mailbox_deliveries set at = at - ${interval}::interval`;
  await sql`update private.outbox set next_try_at = next_try_at - ${interval}::interval`;
}

describe('an accepted address', () => {
  it('is on the list, and its welcome is in the outbox, in one transaction', async () => {
    expect(await accept('name@example.com')).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await members()).toEqual(['name@example.com']);
    expect(await entry('name@example.com')).toMatchObject({
      state: 'waiting',
      message: 'message for name@example.com',
    });
  });

  it('gets the same answer the second time, and keeps its first welcome, id and token', async () => {
    await accept('name@example.com');
    const first = await entry('name@example.com');
    const again = await accept('name@example.com', { message: 'another message' });
    expect(again).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await entry('name@example.com')).toEqual(first);
    await record(await leaseNow(), 'sent');
    await accept('name@example.com', { message: 'another message' });
    expect(await entry('name@example.com')).toMatchObject({ state: 'sent', message: null });
    expect(await members()).toEqual(['name@example.com']);
  });

  it('has one welcome when it is accepted 50 times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => accept('name@example.com', { caller: `caller ${index}` })),
    );
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
    expect(await sql`select from private.outbox`).toHaveLength(1);
    expect(await members()).toHaveLength(1);
  });

  it('waits while the same address is leaving, but not while another one is', async () => {
    await accept('a@example.com');
    const leaving = await holdOpen(
      sql,
      (transaction) => transaction`select leave_waitlist('token of a@example.com')`,
    );
    // It has the same caller and mailbox, but does not have to wait.
    expect(await accept('b@example.com', { mailbox: 'mailbox of a@example.com' })).toMatchObject({
      outcome: 'accepted',
    });
    const returning = accept('a@example.com');
    const isWaiting = await waitUntil(() => isSomebodyWaiting(sql), 10_000);
    await leaving.commit();
    expect(isWaiting).toBe(true);
    await returning;
    expect(await members()).toEqual(['a@example.com', 'b@example.com']);
    expect(await entry('a@example.com')).toMatchObject({ state: 'waiting' });
  });

  it('is not accepted at all when its message is missing', async () => {
    await expect(accept('name@example.com', { message: null })).rejects.toThrow();
    expect(await members()).toEqual([]);
    expect(await sql`select from private.calls`).toHaveLength(0);
  });
});

describe('the limits', () => {
  it('let a caller sign up one mailbox five times an hour, in any spelling', async () => {
    const options = { mailbox: 'one mailbox' };
    for (const tag of ['a', 'b', 'c', 'd', 'e']) {
      expect((await accept(`name+${tag}@example.com`, options)).outcome).toBe('accepted');
    }
    expect(await accept('name+f@example.com', options)).toEqual({ outcome: 'limited', retry_after: 3600 });
    expect(await members()).toHaveLength(5);
    await pass('59 minutes');
    expect(await accept('name+f@example.com', options)).toEqual({ outcome: 'limited', retry_after: 60 });
    await pass('1 minute');
    expect((await accept('name+f@example.com', options)).outcome).toBe('accepted');
  });

  it('tell a stranger nothing about a mailbox that others signed up', async () => {
    for (const tag of ['a', 'b', 'c', 'd', 'e'])
      await accept(`victim+${tag}@example.com`, { caller: 'victim', mailbox: 'victim' });
    expect(await accept('victim+f@example.com', { caller: 'victim', mailbox: 'victim' })).toEqual(limited);
    for (const [email, mailbox] of [
      ['victim+g@example.com', 'victim'],
      ['nobody+g@example.com', 'nobody'],
    ] as const)
      expect(await accept(email, { caller: 'stranger', mailbox })).toEqual({
        outcome: 'accepted',
        retry_after: null,
      });
  });

  it('give the wait in whole minutes', async () => {
    await setLimit('mailbox_calls', 1);
    await accept('name@example.com');
    await pass('17 minutes 13 seconds');
    expect((await accept('name@example.com')).retry_after).toBe(43 * 60);
  });

  it('let a caller sign up 60 different addresses an hour, without limiting others', async () => {
    for (let index = 0; index < 60; index++) {
      expect((await accept(`name${index}@example.com`)).outcome).toBe('accepted');
    }
    expect(await accept('name60@example.com')).toEqual(limited);
    expect((await accept('name0@example.com')).outcome).toBe('accepted');
    expect((await accept('name60@example.com', { caller: 'another' })).outcome).toBe('accepted');
  });

  it('count all callers of an IPv6 network together', async () => {
    await setLimit('network_calls', 3);
    for (const name of ['a', 'b', 'c'])
      expect((await accept(`${name}@example.com`, { caller: name, network: 'one' })).outcome).toBe(
        'accepted',
      );
    for (const email of ['a@example.com', 'd@example.com'])
      expect(await accept(email, { caller: 'd', network: 'one' })).toEqual(limited);
    expect((await accept('d@example.com', { caller: 'e', network: 'another' })).outcome).toBe('accepted');
    expect((await accept('e@example.com', { caller: 'f' })).outcome).toBe('accepted');
  });

  it.each(['caller_addresses', 'network_calls'])(
    '%s lets calls through an hour after earlier ones',
    async (name) => {
      await setLimit(name, 2);
      const options = { caller: 'one', network: 'one' };
      await accept('a@example.com', options);
      await pass('20 minutes');
      await accept('b@example.com', options);
      expect(await accept('c@example.com', options)).toEqual({ outcome: 'limited', retry_after: 40 * 60 });
      await pass('39 minutes');
      expect(await accept('c@example.com', options)).toEqual({ outcome: 'limited', retry_after: 60 });
      await pass('1 minute');
      expect((await accept('c@example.com', options)).outcome).toBe('accepted');
    },
  );

  it('give everybody the same answer when too many sign up in an hour, known or not', async () => {
    await setLimit('addresses', 3);
    for (const name of ['a', 'b', 'c'])
      expect((await accept(`${name}@example.com`, { caller: name })).outcome).toBe('accepted');
    const answers = await Promise.all([
      accept('a@example.com', { caller: 'a' }),
      accept('a@example.com', { caller: 'd' }),
      accept('d@example.com', { caller: 'd' }),
    ]);
    expectLimitedUntilNext('hour', answers[0]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await pass('1 hour');
    expect((await accept('d@example.com', { caller: 'd' })).outcome).toBe('accepted');
  });

  it('treat all callers as one attacker while the platform does not say who calls', async () => {
    await setLimit('unknown_callers', 3);
    for (const name of ['a', 'b', 'a'])
      expect((await accept(`${name}@example.com`, { caller: null })).outcome).toBe('accepted');
    for (const name of ['a', 'c'])
      expectLimitedUntilNext('day', await accept(`${name}@example.com`, { caller: null }));
    expect((await accept('d@example.com', { caller: 'd' })).outcome).toBe('accepted');
    // They were the first of the day, and a delivery has cleaned up since then.
    await sql`update private.accepted_calls set hour = date_trunc('day', now(), 'utc')`;
    await lease();
    expect(await accept('c@example.com', { caller: null })).toEqual(limited);
    await pass('24 hours');
    expect((await accept('c@example.com', { caller: null })).outcome).toBe('accepted');
  });

  it('keep the calls of a caller for one hour, and the number of calls for two days', async () => {
    await accept('name@example.com');
    await pass('59 minutes');
    await lease();
    expect(await sql`select from private.calls`).toHaveLength(1);
    await pass('2 minutes');
    await lease();
    expect(await sql`select from private.calls`).toHaveLength(0);
    expect(await sql`select from private.accepted_calls`).toHaveLength(1);
    await pass('2 days');
    await lease();
    expect(await sql`select from private.accepted_calls`).toHaveLength(0);
  });

  it('refuse nobody in a rush of 1,000 visitors from different callers', async () => {
    const rush = Array.from({ length: 1000 }, (_, index) =>
      accept(`name${index}@example.com`, { caller: `caller ${index}` }),
    );
    const outcomes = (await Promise.all(rush)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome !== 'accepted')).toEqual([]);
    expect(await members()).toHaveLength(1000);
    const [counted] = await sql`select sum(known_callers)::int as calls from private.accepted_calls`;
    expect(counted).toEqual({ calls: 1000 });
  });

  it('have the documented defaults', () => {
    expect(Object.fromEntries(usual.map(({ name, value }) => [name, value]))).toEqual({
      caller_addresses: 60,
      network_calls: 300,
      mailbox_calls: 5,
      addresses: 3000,
      unknown_callers: 100,
      mailbox_deliveries: 5,
      deliveries: 2,
    });
  });
});

describe('a welcome', () => {
  it('is leased to one delivery, oldest first, at the pace of the provider', async () => {
    // The slowest pace, so that all three ask before the next turn.
    await setLimit('deliveries', 1);
    await accept('a@example.com');
    await accept('b@example.com');
    const answers = await Promise.all([lease(), lease(), lease()]);
    const leased = answers.filter((answer) => answer?.message);
    expect(leased.map((answer) => answer?.message)).toEqual(['message for a@example.com']);
    for (const answer of answers) if (!answer?.message) expect(answer?.wait).toBeGreaterThan(0);
    expect((await leaseNow()).message).toBe('message for b@example.com');
    expect(await lease()).toBeUndefined();
  });

  it('keeps the pace even if leases come a little late', async () => {
    await accept('a@example.com');
    await accept('b@example.com');
    await accept('c@example.com');
    await sql`update private.pace set next_delivery_at = now() - interval '100 milliseconds'`;
    expect((await lease())!.wait).toBeLessThanOrEqual(400);
    await sql`update private.pace set next_delivery_at = now() - interval '1 hour'`;
    expect((await lease())!.wait).toBe(250);
  });

  it('has its text deleted once it is sent', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'sent');
    expect(await entry('name@example.com')).toMatchObject({
      state: 'sent',
      message: null,
      mailbox_hash: null,
      provider_id: 'provider id',
    });
    expect(await lease()).toBeUndefined();
  });

  it('is leased again under the same id after a delivery died', async () => {
    await accept('name@example.com');
    const first = await leaseNow();
    // A call to the provider may take half a minute.
    await sql`update private.outbox set leased_until = leased_until - interval '35 seconds'`;
    expect(await leaseNow()).toBeUndefined();
    await sql`update private.outbox set leased_until = leased_until - interval '30 seconds'`;
    const second = await leaseNow();
    expect(second).toMatchObject({ id: first.id, message: first.message });
    expect(second.lease).not.toBe(first.lease);
    // The first delivery continues, but its failure is outdated.
    await record(first, 'refused', { problem: 'old' });
    expect(await entry('name@example.com')).toMatchObject({ state: 'waiting', last_problem: null });
    // Its success is still recorded.
    await record(first, 'sent');
    expect(await entry('name@example.com')).toMatchObject({ state: 'sent' });
  });

  it('is not leased while an earlier delivery records that it was sent', async () => {
    await accept('name@example.com');
    const first = await leaseNow();
    await sql`update private.outbox set leased_until = now() - interval '1 second'`;
    const recording = await holdOpen(
      sql,
      (open) => open`select record_delivery(${first.id}, ${first.lease}, 'sent', 'provider id', null, null)`,
    );
    const second = leaseNow();
    await Promise.race([second, waitUntil(() => isSomebodyWaiting(sql), 1_000)]);
    await recording.commit();
    expect((await second)?.id ?? null).toBeNull();
    expect(await entry('name@example.com')).toMatchObject({ state: 'sent', lease: null });
  });

  it('waits longer after each failure, at most 15 minutes, under the same key', async () => {
    await accept('name@example.com');
    let previous: string | undefined;
    for (const wait of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]) {
      await sql`update private.outbox set next_try_at = now()`;
      const held = await leaseNow();
      if (previous) expect(held.id).toBe(previous);
      previous = held.id;
      const recordedAfter = new Date();
      await record(held, 'failed', { problem: 'Resend answered 500' });
      const recordedBefore = new Date();
      const { next_try_at } = (await entry('name@example.com'))!;
      const recordedAt = new Date(next_try_at - wait * 1000);
      expect(recordedAt >= recordedAfter && recordedAt <= recordedBefore, `${wait} s`).toBe(true);
    }
  });

  it('counts no attempt when the provider asks for a pause, and all others wait too', async () => {
    await accept('a@example.com');
    await accept('b@example.com');
    await record(await leaseNow(), 'postponed', { problem: 'quota', retryAfter: 3600 });
    expect(await entry('a@example.com')).toMatchObject({ state: 'waiting', tries: 0, uncertain_since: null });
    const { wait } = (await lease())!;
    expect(wait).toBeGreaterThan(3_500_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
  });

  it('is sent before another caller’s second welcome if it is its caller’s first', async () => {
    for (const name of ['a', 'b', 'c']) await accept(`${name}@example.com`, { caller: 'stranger' });
    await accept('visitor@example.com', { caller: 'visitor' });
    const order = [];
    for (let index = 0; index < 4; index++) order.push((await leaseNow()).message);
    expect(order).toEqual([
      'message for a@example.com',
      'message for visitor@example.com',
      'message for b@example.com',
      'message for c@example.com',
    ]);
  });

  it('waits for the next hour when its mailbox has reached the limit, and delays nobody', async () => {
    await setLimit('mailbox_deliveries', 2);
    for (const [index, name] of ['a', 'b', 'c'].entries())
      await accept(`name+${name}@example.com`, { caller: `caller ${index}`, mailbox: 'name' });
    await accept('other@example.com', { caller: 'other' });
    for (const name of ['a', 'b']) {
      const held = await leaseNow();
      expect(held.message).toBe(`message for name+${name}@example.com`);
      await record(held, 'sent');
    }
    expect((await leaseNow()).message).toBe('message for other@example.com');
    expect(await entry('name+c@example.com')).toMatchObject({ state: 'waiting', tries: 0, lease: null });
    expect((await leaseNow()).wait).toBeGreaterThan(59 * 60_000);
    await pass('1 hour');
    expect((await leaseNow()).message).toBe('message for name+c@example.com');
  });

  it('does not count against the limit of its mailbox when the provider never accepted it', async () => {
    await setLimit('mailbox_deliveries', 1);
    await accept('name+a@example.com', { caller: 'a', mailbox: 'name' });
    await accept('name+b@example.com', { caller: 'b', mailbox: 'name' });
    await record(await leaseNow(), 'refused', { problem: 'no' });
    expect((await leaseNow()).message).toBe('message for name+b@example.com');
  });

  it('counts when it may have been sent, but does not hold up its own next try', async () => {
    await setLimit('mailbox_deliveries', 1);
    for (const name of ['a', 'b'])
      await accept(`name+${name}@example.com`, { caller: name, mailbox: 'name' });
    await record(await leaseNow(), 'failed', { problem: 'TimeoutError' });
    expect((await leaseNow()).id).toBeNull();
    await sql`update private.outbox set next_try_at = now() where email = 'name+a@example.com'`;
    expect((await leaseNow()).message).toBe('message for name+a@example.com');
  });

  it('waits longer each time the provider blocks it, counts no attempt, and does not stop others', async () => {
    await accept('blocked@example.com');
    await accept('other@example.com');
    const waits: number[] = [];
    for (let index = 0; index < 6; index++) {
      await sql`update private.outbox set next_try_at = now() where email = 'blocked@example.com'`;
      await sql`update private.outbox set next_try_at = now() + interval '1 day' where email = 'other@example.com'`;
      await record(await leaseNow(), 'blocked', { problem: 'Resend answered 403' });
      const [row] = await sql`
        select round(extract(epoch from next_try_at - now()) / 60)::int as wait
        from private.outbox where email = 'blocked@example.com'`;
      waits.push(row!['wait']);
    }
    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
    expect(await entry('blocked@example.com')).toMatchObject({
      state: 'waiting',
      tries: 0,
      uncertain_since: null,
      last_problem: 'Resend answered 403',
    });
    await sql`update private.outbox set next_try_at = now()`;
    await sql`update private.pace set next_delivery_at = now() where next_delivery_at < now() + interval '2 seconds'`;
    expect((await lease())!.message).toBe('message for other@example.com');
  });

  it('does not end a pause early when the provider asks for a shorter one, or blocks three messages', async () => {
    const held = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await accept(`${name}@example.com`, { caller: name });
      held.push(await leaseNow());
    }
    const [first, second, ...blocked] = held;
    await record(first!, 'postponed', { problem: 'quota', retryAfter: 3600 });
    await record(second!, 'postponed', { problem: 'rate', retryAfter: 1 });
    for (const message of blocked) await record(message, 'blocked');
    expect((await lease())!.wait).toBeGreaterThan(3_500_000);
  });

  it.each(['sent', 'refused'])(
    'waits, like all others, after three in a row were blocked, but not with one %s in between',
    async (outcome) => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      for (const name of names) await accept(`${name}@example.com`, { caller: name });
      await record(await leaseNow(), 'blocked');
      await record(await leaseNow(), 'blocked');
      await record(await leaseNow(), outcome);
      await record(await leaseNow(), 'blocked');
      // The fourth one: the provider has judged a message in between, so the key works.
      expect(
        (await sql`select next_delivery_at < now() + interval '2 seconds' as soon from private.pace`)[0],
      ).toEqual({
        soon: true,
      });
      await sql`update private.outbox set next_try_at = accepted_at where state = 'waiting'`;
      await record(await leaseNow(), 'blocked');
      await record(await leaseNow(), 'blocked');
      expect((await lease())!.wait).toBeGreaterThan(4 * 60_000);
      // One try after the pause, then the next pause.
      await sql`update private.outbox set next_try_at = now() where state = 'waiting'`;
      await record(await leaseNow(), 'blocked');
      expect((await lease())!.wait).toBeGreaterThan(4 * 60_000);
      expect(await sql`select from private.outbox where state = 'waiting' and tries = 0`).toHaveLength(4);
    },
  );

  it('stays uncertain when it is postponed after a failure', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'failed', { problem: 'AbortError' });
    const { uncertain_since } = (await entry('name@example.com'))!;
    await sql`update private.outbox set next_try_at = now()`;
    await record(await leaseNow(), 'postponed', { problem: 'quota', retryAfter: 1 });
    expect(await entry('name@example.com')).toMatchObject({ uncertain_since, tries: 1 });
    await sql`update private.outbox set next_try_at = now(), uncertain_since = now() - interval '24 hours'`;
    expect(await leaseNow()).toBeUndefined();
    expect(await entry('name@example.com')).toMatchObject({ state: 'unknown' });
  });

  it('is still sent after waiting for days for a quota', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'postponed', { problem: 'quota', retryAfter: 3600 });
    await sql`update private.outbox set accepted_at = now() - interval '9 days', next_try_at = now() - interval '1 day'`;
    expect((await leaseNow()).message).toBe('message for name@example.com');
  });

  it('becomes unknown when it may have been sent a day ago, and is sent again only when the owner retries', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'failed', { problem: 'AbortError' });
    await sql`update private.outbox set uncertain_since = now() - interval '24 hours', next_try_at = now()`;
    expect(await leaseNow()).toBeUndefined();
    expect(await entry('name@example.com')).toMatchObject({ state: 'unknown', last_problem: 'AbortError' });
    expect(await sql`select retry_outbox() as changed`).toEqual([{ changed: 0 }]);
    expect(await sql`select retry_outbox(with_unknown => true) as changed`).toEqual([{ changed: 1 }]);
    const again = await leaseNow();
    expect(again.message).toBe('message for name@example.com');
    // The first try under a new id, so the provider cannot have accepted it before.
    await record(again, 'postponed', { problem: 'quota', retryAfter: 3600 });
    expect(await entry('name@example.com')).toMatchObject({ tries: 0, uncertain_since: null });
  });

  it('is listed when it is refused permanently, and sent again only when the owner retries', async () => {
    await accept('name@example.com');
    const held = await leaseNow();
    await record(held, 'refused', { problem: 'Resend answered 422 (validation_error)' });
    expect(await leaseNow()).toBeUndefined();
    expect(await sql`select email, state, problem from list_outbox()`).toEqual([
      { email: 'name@example.com', state: 'refused', problem: 'Resend answered 422 (validation_error)' },
    ]);
    expect(await members()).toEqual(['name@example.com']);
    expect(await sql`select retry_outbox('Name@example.com') as changed`).toEqual([{ changed: 1 }]);
    expect((await leaseNow()).id).not.toBe(held.id);
  });
});

describe('leaving', () => {
  it('removes the member with this token from the list and the outbox, and nobody else', async () => {
    await accept('name@example.com');
    await accept('other@example.com');
    expect(await leave('token of name@example.com')).toBe(true);
    expect(await members()).toEqual(['other@example.com']);
    expect(await entry('name@example.com')).toBeUndefined();
  });

  it('answers a second click like the first, for ten minutes', async () => {
    await accept('name@example.com');
    expect([await leave('token of name@example.com'), await leave('token of name@example.com')]).toEqual([
      true,
      true,
    ]);
    await sql`update private.used_tokens set used_at = used_at - interval '11 minutes'`;
    expect(await leave('token of name@example.com')).toBe(false);
  });

  it('does nothing, and says so, when a member who came back uses the old link', async () => {
    await accept('name@example.com');
    await leave('token of name@example.com');
    await accept('name@example.com');
    await sql`update private.outbox set unsubscribe_token_hash = 'new token'`;
    expect(await leave('token of name@example.com')).toBe(false);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('keeps a member who comes back while a click on the old link is processed', async () => {
    await accept('name@example.com');
    const back = await holdOpen(sql, async (transaction) => {
      await transaction`select leave_waitlist('token of name@example.com')`;
      await transaction`
        select accept_sign_up('name@example.com', 'message', gen_random_uuid(), 'new token', 'c', null, 'name@example.com', 'm')`;
    });
    const clicked = leave('token of name@example.com');
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await back.commit();
    expect(await clicked).toBe(false);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('removes nobody when the token belongs to nobody', async () => {
    await accept('name@example.com');
    expect(await leave('another token')).toBe(false);
    expect(await leave('name@example.com')).toBe(false);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('lets a member return, with a new welcome, id and token', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'sent');
    const first = (await entry('name@example.com'))!;
    await leave('token of name@example.com');
    await sql`select accept_sign_up('name@example.com', 'message', gen_random_uuid(), 'new token', 'c', null, 'e', 'm')`;
    expect(await members()).toEqual(['name@example.com']);
    expect((await entry('name@example.com'))!['member_id']).not.toBe(first['member_id']);
    await leave('token of name@example.com');
    expect(await members()).toEqual(['name@example.com']);
    expect((await leaseNow()).message).toBe('message');
    expect(await leave('new token')).toBe(true);
    expect(await members()).toEqual([]);
  });

  it('is not undone by a row that a browser inserts afterward', async () => {
    await accept('name@example.com');
    await leave('token of name@example.com');
    await sql`insert into waitlist_emails (email, source) values ('name@example.com', 'landing_page')`;
    expect(await members()).toEqual([]);
  });
});

describe('the scheduled job', () => {
  it('calls the function every minute with the public key, and prunes its log', async () => {
    const undone = new Error('undone');
    const scheduled = sql.begin(async (transaction) => {
      // The parts of pg_cron and pg_net that are used.
      await transaction.unsafe(`
        create schema cron;
        create table cron.job (name text, schedule text, command text);
        create function cron.schedule(text, text, text) returns void language sql as
          'insert into cron.job values ($1, $2, $3)';
        create table cron.job_run_details (end_time timestamptz);
        insert into cron.job_run_details values (now() - interval '8 days'), (now() - interval '6 days');
        create schema net;
        create table net.calls (url text, headers jsonb, body jsonb);
        create function net.http_post(url text, headers jsonb, body jsonb) returns void language sql as
          'insert into net.calls values ($1, $2, $3)'`);
      await transaction`select private.schedule_delivery('https://abc.supabase.co/f', 'it''s a key')`;
      const jobs = await transaction`select schedule, command from cron.job order by name`;
      expect(jobs.map(({ schedule }) => schedule)).toEqual(['* * * * *', '23 4 * * *']);
      for (const { command } of jobs) await transaction.unsafe(command);
      expect(await transaction`select * from net.calls`).toEqual([
        {
          url: 'https://abc.supabase.co/f/deliver',
          headers: { apikey: "it's a key", 'Content-Type': 'application/json' },
          body: {},
        },
      ]);
      expect(await transaction`select from cron.job_run_details`).toHaveLength(1);
      throw undone;
    });
    await expect(scheduled).rejects.toBe(undone);
  });

  it('says what to do when the database has no scheduler', async () => {
    expect(
      await sql`select private.schedule_delivery('https://abc.supabase.co/f', 'key') as scheduled`,
    ).toEqual([{ scheduled: false }]);
  });
});
