import { describe, expect, it } from 'vitest';
import { accept, lease, members, pass, setLimit, sql, usual } from './sign-ups.ts';

const limited = { outcome: 'limited', retry_after: expect.any(Number) };

/** Expects a refusal until the next hour or day begins (UTC), in whole minutes. */
function expectLimitedUntilNext(span: 'hour' | 'day', answer: Awaited<ReturnType<typeof accept>>): void {
  expect(answer).toEqual(limited);
  const milliseconds = { hour: 3_600_000, day: 86_400_000 }[span];
  expect((Date.now() + answer.retry_after! * 1000) % milliseconds).toBeLessThan(120_000);
}

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

  it('have the documented defaults, and ranges in which the waitlist works', () => {
    const limits = usual.map(({ name, value, lowest, highest }) => [name, [value, lowest, highest]]);
    expect(Object.fromEntries(limits)).toEqual({
      caller_addresses: [60, 2, 1000],
      network_calls: [300, 2, 5000],
      mailbox_calls: [5, 2, 100],
      addresses: [3000, 10, 100_000],
      unknown_callers: [100, 10, 100_000],
      mailbox_deliveries: [5, 1, 100],
      deliveries: [2, 1, 6],
    });
  });
});
