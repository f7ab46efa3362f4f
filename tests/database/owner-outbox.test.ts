import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { owner } from './command-line.ts';
import { addMembers, change, clear, entry, neverMail, queue, report, sql } from './sign-ups.ts';

/** Members named after the state of their welcome. */
const problems = {
  waiting: { tries: 2, next_try_at: '2099-11-21T09:00:00Z', last_problem: 'Resend answered 500' },
  refused: { tries: 1, last_problem: 'Resend answered 422 (validation_error)' },
  unknown: { tries: 9, last_problem: 'TimeoutError' },
  sent: { tries: 1 },
};
const states = Object.keys(problems) as (keyof typeof problems)[];

const stateOf = async (email: string) => (await entry(email))?.['state'];

beforeEach(async () => {
  for (const [place, state] of states.entries()) {
    await addMembers([`${state}@example.com`], { state, joined: `2026-11-21T08:00:0${place}Z` });
    await change(`${state}@example.com`, problems[state]);
  }
});

describe('outbox', () => {
  it('prints what was not sent or came back and why, oldest first', async () => {
    await report('bounced', 'sent@example.com', { problem: 'Mailbox full', at: '2026-11-20T12:00:09Z' });
    // Not listed: Resend could not send it at first, but it was sent since.
    await report('failed', 'sent@example.com').then(() => change('sent@example.com', { state: 'sent' }));
    await sql`update private.pace set next_delivery_at = '2100-01-01Z'`; // a pause
    const { status, stdout } = await owner.run(['outbox']);
    expect(status).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      '2026-11-20T12:00:09Z  sent@example.com  welcome bounced, Mailbox full',
      '2026-11-21T08:00:00Z  waiting@example.com  welcome waiting, 2 tries, next at 2100-01-01T00:00:00Z, Resend answered 500',
      '2026-11-21T08:00:01Z  refused@example.com  welcome refused, 1 try, Resend answered 422 (validation_error)',
      '2026-11-21T08:00:02Z  unknown@example.com  welcome unknown, 9 tries, TimeoutError',
    ]);
    const refused = { email: 'refused@example.com', announcement: null, state: 'refused', tries: 1 };
    expect(await owner.read('outbox')).toContainEqual(expect.objectContaining(refused));
    expect((await owner.run(['show', 'waiting@example.com'])).stdout).toContain('next at 2100-01-01T');
  });

  it('prints the name of an announcement, and skips messages that wait for nothing but their turn', async () => {
    await clear();
    await addMembers(['sent@example.com']);
    for (const name of ['news', 'more', 'late']) await queue(name);
    await change('sent@example.com', { ...problems.refused, state: 'refused' }, 'news');
    await change('sent@example.com', problems.waiting, 'late');
    expect((await owner.run(['outbox'])).stdout).toMatch(
      /^\S+ +sent@example\.com {2}news refused, 1 try, Resend answered 422 .*\n\S+ .* {2}late waiting, 2 tries, next at 2099.*\n$/,
    );
    await change('sent@example.com', { ...problems.refused, state: 'refused' });
    expect(await owner.read('retry'), 'the welcome and the announcement').toEqual({ retried: 2 });
  });
});

describe('retry', () => {
  it('queues messages that may arrive a second time only with --yes, and only those to an address', async () => {
    expect(await owner.read('retry')).toEqual({ retried: 1 });
    expect(await stateOf('unknown@example.com')).toBe('unknown');
    await change('refused@example.com', { state: 'refused' });
    const ended = await owner.run(['retry', 'Unknown@example.com', '--yes']);
    expect(ended).toMatchObject({ status: 0, stdout: 'Queued again: 1 of 1 message.\n', stderr: '' });
    expect(await stateOf('unknown@example.com')).toBe('waiting');
    expect(await stateOf('refused@example.com')).toBe('refused');
    const unknown = await owner.run(['retry', 'nobody@example.com']);
    expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('is not on the list') });
  });

  it('never queues a message that was sent, that waits, or to a mailbox that is never mailed', async () => {
    await neverMail('refused@example.com', 'unknown@example.com');
    for (const state of states) {
      const email = `${state}@example.com`;
      expect(await owner.read('retry', email, '--yes')).toEqual({ retried: 0 });
      expect(await stateOf(email)).toBe(state);
    }
  });
});

it('forgive lets an address be mailed again, and says when there is nothing to forgive', async () => {
  for (const kind of ['bounced', 'complained'] as const) await report(kind, 'refused@example.com');
  await neverMail('sent@example.com');
  expect(await owner.read('forgive', 'Refused@example.com')).toMatchObject({ forgiven: true });
  await report('bounced', 'refused@example.com'); // as Resend repeats a call
  expect(await sql`select from private.never_mailed`).toHaveLength(1);
  for (const email of ['refused@example.com', 'nobody@example.com']) {
    const stderr = `${email} is not barred. It can be mailed.\n`;
    expect(await owner.run(['forgive', email])).toMatchObject({ status: 1, stdout: '', stderr });
  }
});

describe('limits', () => {
  it('prints each limit with its value, its range and its meaning', async () => {
    const stored = await sql`select name, value, lowest, highest, meaning from private.limits order by name`;
    expect(await owner.read('limits')).toEqual(stored);
    const docs = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
    for (const { name, value } of stored)
      expect(docs).toContain(`- \`${name}\` (${value.toLocaleString('en')}) `);
  });

  it('sets a limit to a value of its range', async () => {
    const [limit] = await sql`select name, lowest, highest from private.limits`;
    const { name, lowest, highest } = limit!;
    const printed = highest.toLocaleString('en');
    expect(await owner.read('limits', 'set', name, printed)).toEqual({ name, value: highest });
    expect(await owner.read('limits', 'set', 'sign_ups', '0')).toEqual({ name: 'sign_ups', value: 0 });
    expect(await owner.run(['limits', 'set', name, '1,5'])).toMatchObject({ status: 2 });
    for (const outside of [lowest - 1, highest + 1]) {
      expect(await owner.run(['limits', 'set', name, String(outside)])).toMatchObject({
        status: 2,
        stderr: `${name} must be from ${lowest} to ${highest}.\n`,
      });
      await expect(sql`select set_limit(${name}, ${outside})`).rejects.toThrow('limits_value_is_sensible');
    }
  });
});
