import { describe, expect, it } from 'vitest';
import { advise } from '../../ops/report.ts';
import { accept, lease, members, pass, range, setLimit, sql, summarize } from './sign-ups.ts';

describe('a caller', () => {
  it('is limited by the number of its own calls in the last hour, and others are not', async () => {
    await setLimit('caller_calls', 3);
    const caller = { caller: 'one' };
    expect(await accept('a@example.com', caller)).toBe('accepted');
    await pass('20 minutes 30 seconds');
    for (const name of ['b', 'c']) expect(await accept(`${name}@example.com`, caller)).toBe('accepted');
    expect(await accept('d@example.com', caller)).toBe('too_many_requests');
    expect(await accept('d@example.com')).toBe('accepted');
    await pass('39 minutes');
    expect(await accept('e@example.com', caller)).toBe('too_many_requests');
    expect(await sql`select sum(refused)::int as refused from private.hours`).toEqual([{ refused: 2 }]);
    await pass('1 minute');
    expect(await accept('e@example.com', caller)).toBe('accepted');
    expect(await sql`select from private.calls where caller_hash = 'one'`).toHaveLength(3);
  });

  it('always has its first call of an hour accepted, whatever others did', async () => {
    await setLimit('all_calls', 4);
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      expect(await accept(`${name}@example.com`, { caller: name })).toBe('accepted');
    await sql`update private.pace set next_delivery_at = now() + interval '1 hour', counted_at = '-infinity'`;
    expect((await lease())!.wait, 'deliveries are paused').toBeGreaterThan(1000);
    expect(await accept('f@example.com', { caller: 'f' })).toBe('accepted');
    expect(await accept('a@example.com', { caller: 'a' })).toBe('too_many_requests');
    await pass('1 hour');
    expect(await accept('a@example.com', { caller: 'a' })).toBe('accepted');
  });

  it('has its simultaneous calls counted, and so has a mailbox, so that only one takes the first turn', async () => {
    await accept('known@example.com', { mailbox: 'another' });
    await setLimit('caller_calls', 30);
    const targets = range(40).map((email, index) => (index % 3 ? email : 'known@example.com'));
    const answers = await Promise.all(targets.map((email) => accept(email, { caller: 'one' })));
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(30);
    const turns = await sql`select turn from private.outbox order by turn offset 1`;
    expect(turns.map(({ turn }) => turn)).toEqual(Array.from({ length: 30 }, (_, turn) => turn));
    await Promise.all(range(30, 'tag').map((email) => accept(email, { mailbox: 'one' })));
    expect(await sql`select distinct turn from private.outbox where mailbox_hash = 'one'`).toHaveLength(30);
  });
});

describe('the emergency ceiling', () => {
  it('refuses further calls and unknown callers, known address or not', async () => {
    await setLimit('all_calls', 10);
    await accept('known@example.com', { caller: 'one' });
    await pass('20 minutes');
    for (let index = 1; index < 10; index++) await accept('known@example.com');
    await pass('10 minutes');
    const answers = [
      await accept('known@example.com', { caller: null }),
      await accept('new@example.com', { caller: null }),
      await accept('known@example.com', { caller: 'one' }),
    ];
    expect(answers).toEqual(Array(3).fill('too_many_requests'));
    expect(await summarize()).toMatchObject({ refused_today: 3 });
    await pass('30 minutes');
    expect(await accept('new@example.com', { caller: null })).toBe('accepted');
  });

  it('is the only limit while the platform does not say who calls', async () => {
    await setLimit('caller_calls', 1);
    for (let index = 0; index < 5; index++)
      expect(await accept(`name${index % 3}@example.com`, { caller: null })).toBe('accepted');
  });
});

it('nobody is added while sign-ups are closed, and new and known addresses get the same answer', async () => {
  await accept('known@example.com');
  await setLimit('sign_ups', 0);
  for (const name of ['known', 'new']) expect(await accept(`${name}@example.com`)).toBe('sign_ups_closed');
  expect(await members()).toEqual(['known@example.com']);
  expect(advise(await summarize())).toEqual(['Sign-ups are closed: "limits set sign_ups 1" opens them.']);
});
