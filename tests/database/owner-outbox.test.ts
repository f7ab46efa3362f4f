import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startOwner } from './command-line.ts';

const { owner, sql } = startOwner();

beforeEach(async () => {
  await sql`delete from private.outbox`;
  await sql`delete from private.announcements`;
  await sql`delete from private.never_mailed`;
  await sql`delete from waitlist_emails`;
  await sql`insert into private.outbox ${sql([
    welcome('waiting', {
      tries: 2,
      next_try_at: '2026-11-21T09:00:00Z',
      last_problem: 'Resend answered 500',
    }),
    welcome('refused', { tries: 1, last_problem: 'Resend answered 422 (validation_error)' }),
    welcome('unknown', { tries: 9, last_problem: 'TimeoutError' }),
    welcome('sent', { tries: 1 }),
  ])}`;
  await sql`insert into waitlist_emails (email, source, accepted) select email, 'landing_page', true from private.outbox`;
});

let second = 0;
/** A row of the outbox in a state. Its address is named after the state. */
function welcome(state: string, more: { tries: number; next_try_at?: string; last_problem?: string }) {
  return {
    email: `${state}@example.com`,
    message: '{}',
    state,
    accepted_at: `2026-11-21T08:00:${String(second++ % 60).padStart(2, '0')}Z`,
    next_try_at: '2026-11-21T08:00:00Z',
    last_problem: null,
    ...more,
  };
}

/** Stores what the provider reports about the welcome to an address. */
async function addEvent(name: string, kind: string, problem: string | null): Promise<void> {
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, at, problem)
    select ${`event of ${name}`}, 'message', id, ${kind}, timestamptz '2026-11-21T10:00:00Z', ${problem}::text
    from private.outbox where email = ${`${name}@example.com`}`;
}

const stateOf = async (address: string) =>
  (await sql`select state from private.outbox where email = ${address}`)[0]?.['state'];
const isMember = async (address: string) =>
  (await sql`select from waitlist_emails where email = ${address}`).length === 1;

describe('outbox', () => {
  it('prints what was not sent and why, then what came back', async () => {
    await addEvent('sent', 'bounced', 'The mailbox is full');
    const { status, stdout } = await owner.run(['outbox']);
    expect(status).toBe(0);
    expect(stdout.replaceAll(/2026-11-21T08:00:..Z/g, 'accepted').split('\n')).toEqual([
      'accepted  waiting     waiting@example.com  2 tries, next at 2026-11-21T09:00:00Z, Resend answered 500',
      'accepted  refused     refused@example.com  1 try, Resend answered 422 (validation_error)',
      'accepted  unknown     unknown@example.com  9 tries, TimeoutError',
      '2026-11-21T10:00:00Z  bounced     sent@example.com  The mailbox is full',
      '',
    ]);
  });

  it('prints the name of the announcement, and skips messages that only wait for their turn', async () => {
    await sql`delete from private.outbox where state <> 'sent'`;
    const template = JSON.stringify({ subject: 'News', html: '', text: '' });
    for (const name of ['news', 'more']) await sql`select queue_announcement(${name}, ${template})`;
    await sql`select private.add_messages('news')`;
    await sql`
      update private.outbox set state = 'refused', tries = 1, accepted_at = '2026-11-21T08:00:00Z', last_problem = 'Resend answered 422'
      where announcement = 'news'`;
    const { stdout } = await owner.run(['outbox']);
    expect(stdout).toBe(
      '2026-11-21T08:00:00Z  refused     sent@example.com  news, 1 try, Resend answered 422\n',
    );
    expect(await owner.read('outbox')).toMatchObject([{ email: 'sent@example.com', announcement: 'news' }]);
  });

  it('prints JSON', async () => {
    await addEvent('sent', 'complained', null);
    const rows = (await owner.read('outbox')) as object[];
    expect(rows).toHaveLength(4);
    expect(rows).toContainEqual({
      email: 'refused@example.com',
      announcement: null,
      state: 'refused',
      at: expect.stringMatching(/^2026-11-21T08:00:\d\d\.000000Z$/),
      next_try_at: null,
      tries: 1,
      problem: 'Resend answered 422 (validation_error)',
    });
    expect(rows).toContainEqual({
      email: 'sent@example.com',
      announcement: null,
      state: 'complained',
      at: '2026-11-21T10:00:00.000000Z',
      problem: null,
    });
  });

  it('reports that nothing failed when every welcome arrived', async () => {
    await sql`delete from private.outbox where state <> 'sent'`;
    await addEvent('sent', 'delivered', null);
    expect(await owner.run(['outbox'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'No message failed, and none came back.\n',
    });
    expect(await owner.read('outbox')).toEqual([]);
  });

  it('prints thousands of messages, each once', async () => {
    await sql`
      insert into private.outbox (email, message)
      select 'member' || number || '@example.com', '{}' from generate_series(1, 2500) as number`;
    await sql`
      insert into private.outbox (email, state, sent_at, provider_id)
      select 'back' || number || '@example.com', 'sent', now(), number from generate_series(1, 2500) as number`;
    await sql`
      insert into private.delivery_events (id, message, delivery, kind, at)
      select 'event ' || provider_id, provider_id, id, 'bounced', timestamptz '2026-11-21'
      from private.outbox where email like 'back%'`;
    const rows = (await owner.read('outbox')) as { email: string }[];
    expect(new Set(rows.map(({ email }) => email)).size).toBe(5003);
    expect(rows).toHaveLength(5003);
  });
});

describe('retry', () => {
  it('queues a refused message again without asking', async () => {
    const ended = await owner.run(['retry', 'Refused@example.com']);
    expect(ended).toEqual({ status: 0, stdout: 'Queued again: 1 message.\n', stderr: '' });
    expect(await stateOf('refused@example.com')).toBe('waiting');
    expect(await stateOf('unknown@example.com')).toBe('unknown');
  });

  it('asks about messages that may arrive a second time, and queues only the others if the answer is no', async () => {
    const no = await owner.type(['retry'], 'n\r');
    expect(no.screen).toContain('1 message may have been sent already and would arrive a second time.');
    expect(no.screen).toContain('Queued again: 1 message.');
    expect(no.status).toBe(0);
    expect(await stateOf('refused@example.com')).toBe('waiting');
    expect(await stateOf('unknown@example.com')).toBe('unknown');
    const yes = await owner.type(['retry'], 'y\r');
    expect(yes.screen).toContain('Queued again: 1 message.');
    expect(yes.status).toBe(0);
    expect(await stateOf('unknown@example.com')).toBe('waiting');
  });

  it('needs --yes without a terminal if a message may arrive a second time', async () => {
    const ended = await owner.run(['retry', 'unknown@example.com']);
    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Not queued: 1 message may have been sent already and would arrive a second time. Add --yes to queue them.\n',
    });
    expect(await stateOf('unknown@example.com')).toBe('unknown');
    expect(await owner.read('retry', '--yes')).toEqual({ retried: 2 });
    expect(await stateOf('unknown@example.com')).toBe('waiting');
  });

  it('never queues a message that was sent or is waiting', async () => {
    await addEvent('sent', 'bounced', 'The mailbox is full');
    for (const email of ['sent@example.com', 'waiting@example.com', 'nobody@example.com']) {
      expect(await owner.run(['retry', email, '--yes'])).toEqual({
        status: 1,
        stdout: '',
        stderr: `No message to ${email} can be queued again. "show ${email}" says why.\n`,
      });
    }
    expect(await stateOf('sent@example.com')).toBe('sent');
  });

  it('reports that there is nothing to queue again', async () => {
    await sql`delete from private.outbox where state in ('refused', 'unknown')`;
    expect(await owner.run(['retry'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'No message can be queued again.\n',
    });
  });

  it.each(['refused', 'unknown'])('never mails an address that complained: %s', async (state) => {
    const email = `${state}@example.com`;
    await sql`update private.outbox set email_hash = 'its hash' where email = ${email}`;
    await sql`insert into private.never_mailed values ('its hash')`;
    expect(await owner.run(['retry', email, '--yes'])).toEqual({
      status: 1,
      stdout: '',
      stderr: `No message to ${email} can be queued again. "show ${email}" says why.\n`,
    });
    await owner.run(['retry', '--yes']);
    expect(await stateOf(email)).toBe(state);
  });
});

describe('remove', () => {
  it('asks, and removes the address if the answer is yes', async () => {
    const { status, screen } = await owner.type(['remove', 'WAITING@example.com'], 'yes\r');
    expect(screen).toContain('Remove waiting@example.com from the list and the outbox? [y/N]');
    expect(screen).toContain('waiting@example.com was removed.');
    expect(status).toBe(0);
    expect(await isMember('waiting@example.com')).toBe(false);
    expect(await stateOf('waiting@example.com')).toBeUndefined();
  });

  it('asks on stderr, because a program may read the output', async () => {
    const { screen } = await owner.type(['remove', 'sent@example.com', '--json', '>answer.json'], 'y\r');
    expect(screen).toContain('[y/N]');
    const answer = JSON.parse(readFileSync(join(owner.folder, 'answer.json'), 'utf8'));
    expect(answer).toEqual({ email: 'sent@example.com', removed: true });
  });

  it.each([
    ['no', 'n\r', 1],
    ['nothing', '\r', 1],
    ['the end of the input', '\x04', 1],
    ['Ctrl-C', '\x03', 130],
  ])('keeps the address after %s', async (_, answer, expected) => {
    const { status } = await owner.type(['remove', 'sent@example.com'], answer);
    expect(status).toBe(expected);
    expect(await isMember('sent@example.com')).toBe(true);
  });

  it('needs --yes without a terminal', async () => {
    const ended = await owner.run(['remove', 'sent@example.com']);
    expect(ended).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'Remove sent@example.com from the list and the outbox? There is no terminal to answer in. Add --yes.\n',
    });
    expect(await isMember('sent@example.com')).toBe(true);
    expect(await owner.read('remove', 'sent@example.com', '--yes')).toEqual({
      email: 'sent@example.com',
      removed: true,
    });
    expect(await isMember('sent@example.com')).toBe(false);
  });

  it('reports an address that is not on the list', async () => {
    const said = await owner.run(['remove', 'nobody@example.com', '--yes']);
    expect(said).toEqual({ status: 1, stdout: '', stderr: 'nobody@example.com was not on the list.\n' });
    const json = await owner.run(['remove', 'nobody@example.com', '--yes', '--json']);
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({ email: 'nobody@example.com', removed: false });
  });

  it('refuses anything but one address', async () => {
    const { status, stderr } = await owner.run(['remove', 'a@example.com,b@example.com', '--yes']);
    expect(status).toBe(2);
    expect(stderr).toContain('Give one address such as name@example.com.');
  });
});

describe('limits', () => {
  it('prints each limit with its value, its range and its meaning', async () => {
    const stored = await sql`select name, value, lowest, highest, meaning from private.limits order by name`;
    expect(await owner.read('limits')).toEqual(stored);
    const { stdout } = await owner.run(['limits']);
    const lines = stored.map(
      ({ name, value, lowest, highest, meaning }) =>
        `${name} ${value.toLocaleString('en')} (${lowest} to ${highest}) ${meaning}`,
    );
    expect(stdout.trim().replace(/ +/g, ' ').split('\n')).toEqual(lines);
  });

  it('sets a limit, and prints its previous value', async () => {
    expect((await owner.run(['limits', 'set', 'deliveries', '5'])).stdout).toBe(
      'deliveries is now 5. It was 2.\n',
    );
    expect(await sql`select value from private.limits where name = 'deliveries'`).toEqual([{ value: 5 }]);
    // The ends of the range are in it.
    const ends = [
      [6, 5],
      [1, 6],
    ];
    for (const [value, previous] of [...ends, [2, 1]])
      expect(await owner.read('limits', 'set', 'deliveries', String(value))).toEqual({
        name: 'deliveries',
        value,
        previous,
      });
  });

  it('suggests the limit that was probably meant', async () => {
    const { status, stderr } = await owner.run(['limits', 'set', 'deliverys', '5']);
    expect(status).toBe(2);
    expect(stderr).toBe('There is no limit "deliverys". Did you mean deliveries?\n');
    await expect(sql`select set_limit('deliverys', 5)`).rejects.toThrow('there is no such limit');
  });

  it('refuses a value outside the range, as the database does', async () => {
    const limits = await sql`select name, value, lowest, highest from private.limits`;
    for (const { name, value, lowest, highest } of limits) {
      for (const outside of [lowest - 1, highest + 1].filter((number) => number > 0)) {
        expect(await owner.run(['limits', 'set', name, String(outside)])).toEqual({
          status: 2,
          stdout: '',
          stderr: `${name} must be from ${lowest} to ${highest}.\n`,
        });
        await expect(sql`select set_limit(${name}, ${outside})`).rejects.toThrow('limits_value_is_sensible');
      }
      expect(await sql`select value from private.limits where name = ${name}`).toEqual([{ value }]);
    }
  });

  it.each(['0', '-1', '1.5', 'many', '2147483648'])('refuses the value %s', async (value) => {
    expect((await owner.run(['limits', 'set', '--', 'deliveries', value])).status).toBe(2);
  });
});
