import postgres from 'postgres';
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';

const sql = postgres(inject('databaseUrl'), { max: 20, onnotice: () => {} });
afterAll(() => sql.end());

let usual: postgres.RowList<postgres.Row[]>;
beforeEach(async () => {
  await sql`delete from private.outbox`;
  await sql`delete from private.calls`;
  await sql`delete from waitlist_emails`;
  await sql`update private.pace set next_delivery_at = now()`;
  usual = await sql`select name, value from private.limits`;
});
afterEach(async () => {
  for (const { name, value } of usual)
    await sql`update private.limits set value = ${value} where name = ${name}`;
});

async function accept(address: string, { caller = 'caller', mailbox = `mailbox of ${address}` } = {}) {
  const [answer] = await sql`
    select outcome, retry_after from accept_sign_up(${address}, ${`message for ${address}`}, ${caller}, ${address}, ${mailbox})`;
  return answer as { outcome: 'accepted' | 'limited'; retry_after: number | null };
}

async function lease() {
  const [row] = await sql`select * from lease_welcome()`;
  return row as { id: string; lease: string; message: string; wait: number | null } | undefined;
}

/** Leases the next welcome as if its time in the pace had come. */
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

const entry = async (address: string) =>
  (await sql`select * from private.outbox where address = ${address}`)[0];
const members = async () =>
  (await sql`select email from waitlist_emails order by email`).map(({ email }) => email);
const setLimit = (name: string, value: number) =>
  sql`update private.limits set value = ${value} where name = ${name}`;
const pass = (interval: string) => sql`update private.calls set at = at - ${interval}::interval`;

describe('an accepted address', () => {
  it('is on the list and its welcome in the outbox, at once and together', async () => {
    expect(await accept('name@example.com')).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await members()).toEqual(['name@example.com']);
    expect(await entry('name@example.com')).toMatchObject({
      state: 'waiting',
      message: 'message for name@example.com',
    });
  });

  it('is accepted again like a new one, and keeps its one welcome', async () => {
    await accept('name@example.com');
    const first = await entry('name@example.com');
    expect(await accept('name@example.com')).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await entry('name@example.com')).toEqual(first);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('has one welcome when it is accepted 50 times at once', async () => {
    await setLimit('mailbox_calls', 1000);
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept('name@example.com')));
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
    expect(await sql`select from private.outbox`).toHaveLength(1);
    expect(await members()).toHaveLength(1);
  });

  it('waits for another that is being accepted, so that both are counted', async () => {
    await setLimit('addresses', 1);
    const first = await holdOpen(
      sql,
      (transaction) => transaction`select accept_sign_up('a@example.com', 'm', 'a', 'a', 'a')`,
    );
    const second = accept('b@example.com');
    const isWaiting = await waitUntil(() => isSomebodyWaiting(sql), 2_000);
    await first.commit();
    expect(isWaiting).toBe(true);
    expect((await second).outcome).toBe('limited');
  });

  it('is not left half done when its message is missing', async () => {
    await expect(sql`select accept_sign_up('name@example.com', null, 'c', 'a', 'm')`).rejects.toThrow();
    expect(await members()).toEqual([]);
    expect(await sql`select from private.calls`).toHaveLength(0);
  });
});

describe('the limits', () => {
  it('let a mailbox be called five times an hour, through tags and dots, and say when the next is free', async () => {
    const options = { mailbox: 'one mailbox' };
    for (const tag of ['a', 'b', 'c', 'd', 'e']) {
      expect((await accept(`name+${tag}@example.com`, options)).outcome).toBe('accepted');
    }
    const refused = await accept('name+f@example.com', options);
    expect(refused.outcome).toBe('limited');
    expect(refused.retry_after).toBeGreaterThan(3590);
    expect(refused.retry_after).toBeLessThanOrEqual(3600);
    expect(await members()).toHaveLength(5);
    await pass('59 minutes');
    expect((await accept('name+f@example.com', options)).retry_after).toBeLessThanOrEqual(60);
    await pass('1 minute');
    expect((await accept('name+f@example.com', options)).outcome).toBe('accepted');
  });

  it('let a caller name 60 different addresses an hour, and others go on', async () => {
    for (let index = 0; index < 60; index++) {
      expect((await accept(`name${index}@example.com`)).outcome).toBe('accepted');
    }
    expect((await accept('name60@example.com')).outcome).toBe('limited');
    expect((await accept('name0@example.com')).outcome).toBe('accepted');
    expect((await accept('name60@example.com', { caller: 'another' })).outcome).toBe('accepted');
  });

  it('know no caller where the platform tells of none', async () => {
    await setLimit('caller_addresses', 1);
    for (const name of ['a', 'b', 'c']) {
      const [answer] = await sql`
        select outcome from accept_sign_up(${`${name}@example.com`}, 'm', null, ${name}, ${name})`;
      expect(answer?.['outcome']).toBe('accepted');
    }
  });

  it('let so many different addresses in an hour in all', async () => {
    await setLimit('addresses', 3);
    for (const name of ['a', 'b', 'c', 'a']) {
      expect((await accept(`${name}@example.com`, { caller: name })).outcome).toBe('accepted');
    }
    expect((await accept('d@example.com', { caller: 'd' })).outcome).toBe('limited');
  });

  it('keep what they count for one hour', async () => {
    await accept('name@example.com');
    await pass('61 minutes');
    await lease();
    expect(await sql`select from private.calls`).toHaveLength(0);
  });

  it('refuse nobody in a rush of 1,000 visitors from different callers', async () => {
    const rush = Array.from({ length: 1000 }, (_, index) =>
      accept(`name${index}@example.com`, { caller: `caller ${index}` }),
    );
    const outcomes = (await Promise.all(rush)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome !== 'accepted')).toEqual([]);
    expect(await members()).toHaveLength(1000);
  });

  it('are the ones of the product', () => {
    expect(Object.fromEntries(usual.map(({ name, value }) => [name, value]))).toEqual({
      caller_addresses: 60,
      mailbox_calls: 5,
      addresses: 3000,
      deliveries: 2,
    });
  });
});

describe('a welcome', () => {
  it('is leased to one delivery, the longest waiting first, at the pace of the provider', async () => {
    await accept('a@example.com');
    await accept('b@example.com');
    const answers = await Promise.all([lease(), lease(), lease()]);
    const leased = answers.filter((answer) => answer?.message);
    expect(leased.map((answer) => answer?.message)).toEqual(['message for a@example.com']);
    for (const answer of answers) if (!answer?.message) expect(answer?.wait).toBeGreaterThan(0);
    expect((await leaseNow()).message).toBe('message for b@example.com');
    expect(await lease()).toBeUndefined();
  });

  it('is gone with its text once it was sent', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'sent');
    expect(await entry('name@example.com')).toMatchObject({
      state: 'sent',
      message: null,
      provider_id: 'provider id',
    });
    expect(await lease()).toBeUndefined();
  });

  it('whose delivery died is leased again, as the same welcome', async () => {
    await accept('name@example.com');
    const first = await leaseNow();
    expect(await lease()).toBeUndefined();
    await sql`update private.outbox set leased_until = now() - interval '1 second'`;
    const second = await leaseNow();
    expect(second).toMatchObject({ id: first.id, message: first.message });
    expect(second.lease).not.toBe(first.lease);
    // The first delivery wakes up again: what it knows of a failure is old.
    await record(first, 'refused', { problem: 'old' });
    expect(await entry('name@example.com')).toMatchObject({ state: 'waiting', last_problem: null });
    // That it was sent is true all the same.
    await record(first, 'sent');
    expect(await entry('name@example.com')).toMatchObject({ state: 'sent' });
  });

  it('that failed waits longer each time, under the same key', async () => {
    await accept('name@example.com');
    const waits: number[] = [];
    let previous: string | undefined;
    for (let index = 0; index < 3; index++) {
      await sql`update private.outbox set next_try_at = now()`;
      const held = await leaseNow();
      if (previous) expect(held.id).toBe(previous);
      previous = held.id;
      await record(held, 'failed', { problem: 'Resend answered 500' });
      const [row] =
        await sql`select extract(epoch from next_try_at - now())::float as wait from private.outbox`;
      waits.push(Math.round(row!['wait']));
    }
    expect(waits).toEqual([5, 10, 20]);
  });

  it('that the provider will take later counts no attempt, and holds all others back', async () => {
    await accept('a@example.com');
    await accept('b@example.com');
    await record(await leaseNow(), 'postponed', { problem: 'quota', retryAfter: 3600 });
    expect(await entry('a@example.com')).toMatchObject({ state: 'waiting', tries: 0, uncertain_since: null });
    expect((await lease())?.wait).toBeGreaterThan(3_500_000);
  });

  it('that waits for days for a quota is sent all the same', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'postponed', { problem: 'quota', retryAfter: 3600 });
    await sql`update private.outbox set accepted_at = now() - interval '9 days', next_try_at = now() - interval '1 day'`;
    expect((await leaseNow()).message).toBe('message for name@example.com');
  });

  it('that may have been sent a day ago is marked and never tried again by itself', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'failed', { problem: 'AbortError' });
    await sql`update private.outbox set uncertain_since = now() - interval '24 hours', next_try_at = now()`;
    expect(await leaseNow()).toBeUndefined();
    expect(await entry('name@example.com')).toMatchObject({ state: 'unknown', last_problem: 'AbortError' });
  });

  it('that is refused for good is marked, shown, and sent again only when the owner says so', async () => {
    await accept('name@example.com');
    const held = await leaseNow();
    await record(held, 'refused', { problem: 'Resend answered 422 (validation_error)' });
    expect(await leaseNow()).toBeUndefined();
    expect(await sql`select address, state, problem from list_outbox()`).toEqual([
      { address: 'name@example.com', state: 'refused', problem: 'Resend answered 422 (validation_error)' },
    ]);
    expect(await members()).toEqual(['name@example.com']);
    expect(await sql`select retry_outbox('Name@example.com') as changed`).toEqual([{ changed: 1 }]);
    expect((await leaseNow()).id).not.toBe(held.id);
  });
});

describe('leaving', () => {
  it('removes the address from list and outbox, in any letter case', async () => {
    await accept('name@example.com');
    await accept('other@example.com');
    await sql`select leave_waitlist(' NAME@example.com')`;
    expect(await members()).toEqual(['other@example.com']);
    expect(await entry('name@example.com')).toBeUndefined();
  });

  it('says nothing of whether the address was there', async () => {
    expect(await sql`select leave_waitlist('nobody@example.com')`).toHaveLength(1);
  });

  it('leaves the door open: who comes back gets a row and a welcome', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'sent');
    await sql`select leave_waitlist('name@example.com')`;
    await accept('name@example.com');
    expect(await members()).toEqual(['name@example.com']);
    expect((await leaseNow()).message).toBe('message for name@example.com');
  });

  it('is not undone by an entry that a browser sends afterwards', async () => {
    await accept('name@example.com');
    await sql`select leave_waitlist('name@example.com')`;
    await sql`insert into waitlist_emails (email, source) values ('name@example.com', 'landing_page')`;
    expect(await members()).toEqual([]);
  });
});

describe('the scheduled job', () => {
  it('says what to do where the database has no scheduler', async () => {
    expect(
      await sql`select private.schedule_delivery('https://abc.supabase.co/f', 'key') as scheduled`,
    ).toEqual([{ scheduled: false }]);
  });
});
