import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';
import { accept, entry, lease, leaseNow, members, pass, record, setLimit, sql } from './sign-ups.ts';

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

  it('has its text and earlier problems deleted once it is sent', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'failed', { problem: 'TimeoutError' });
    await sql`update private.outbox set next_try_at = now()`;
    await record(await leaseNow(), 'sent');
    expect(await entry('name@example.com')).toMatchObject({
      state: 'sent',
      message: null,
      mailbox_hash: null,
      provider_id: 'provider id',
      last_problem: null,
      uncertain_since: null,
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
