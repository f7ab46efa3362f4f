import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { CommandLine } from './command-line.ts';

const sql = postgres(inject('databaseUrl'), { max: 2, onnotice: () => {} });
const owner = new CommandLine(inject('databaseUrl'));

beforeAll(() => owner.start());
afterAll(async () => {
  await owner.stop();
  await sql.end();
});
beforeEach(async () => {
  await sql`delete from private.outbox`;
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
/** A row of the outbox in a state, to an address that is named after it. */
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

const stateOf = async (address: string) =>
  (await sql`select state from private.outbox where email = ${address}`)[0]?.['state'];
const isMember = async (address: string) =>
  (await sql`select from waitlist_emails where email = ${address}`).length === 1;

describe('outbox', () => {
  it('prints what waits, was refused or may have been sent, and why', async () => {
    const { status, stdout } = await owner.run(['outbox']);
    expect(status).toBe(0);
    expect(
      stdout
        .replaceAll(/2026-11-21T08:00:..Z/g, 'accepted')
        .split('\n')
        .sort(),
    ).toEqual([
      '',
      'accepted  refused  refused@example.com  1 try, Resend answered 422 (validation_error)',
      'accepted  unknown  unknown@example.com  9 tries, TimeoutError',
      'accepted  waiting  waiting@example.com  2 tries, next at 2026-11-21T09:00:00Z, Resend answered 500',
    ]);
  });

  it('prints one state, as JSON', async () => {
    expect(await owner.read('outbox', '--state', 'refused')).toEqual([
      {
        address: 'refused@example.com',
        state: 'refused',
        accepted_at: expect.stringMatching(/^2026-11-21T08:00:\d\d\.000000Z$/),
        next_try_at: null,
        tries: 1,
        problem: 'Resend answered 422 (validation_error)',
      },
    ]);
  });

  it('says that every welcome was sent', async () => {
    await sql`delete from private.outbox where state <> 'sent'`;
    expect(await owner.run(['outbox'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'Every welcome was sent.\n',
    });
    expect(await owner.read('outbox')).toEqual([]);
  });

  it('prints thousands of them, each once', async () => {
    await sql`
      insert into private.outbox (email, message)
      select 'member' || number || '@example.com', '{}' from generate_series(1, 2500) as number`;
    const rows = (await owner.read('outbox', '--state', 'waiting')) as { address: string }[];
    expect(new Set(rows.map(({ address }) => address)).size).toBe(2501);
    expect(rows).toHaveLength(2501);
  });
});

describe('retry', () => {
  it('sends a refused welcome again without asking', async () => {
    const ended = await owner.run(['retry', 'Refused@example.com']);
    expect(ended).toEqual({ status: 0, stdout: '1 welcome goes out again.\n', stderr: '' });
    expect(await stateOf('refused@example.com')).toBe('waiting');
    expect(await stateOf('unknown@example.com')).toBe('unknown');
  });

  it('asks before a welcome that may arrive a second time', async () => {
    const no = await owner.type(['retry'], 'n\r');
    expect(no.screen).toContain('1 welcome may have been sent already and would then arrive a second time.');
    expect(no.screen).toContain('Nothing was changed.');
    expect(no.status).toBe(1);
    expect(await stateOf('refused@example.com')).toBe('refused');
    const yes = await owner.type(['retry'], 'y\r');
    expect(yes.screen).toContain('2 welcomes go out again.');
    expect(yes.status).toBe(0);
    expect(await stateOf('unknown@example.com')).toBe('waiting');
  });

  it('wants --yes for it where nobody can be asked', async () => {
    const ended = await owner.run(['retry']);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('add --yes');
    expect(await stateOf('unknown@example.com')).toBe('unknown');
    expect(await owner.read('retry', '--yes')).toEqual({ retried: 2 });
  });

  it('leaves unknown ones alone when only refused ones are meant', async () => {
    expect(await owner.read('retry', '--state', 'refused')).toEqual({ retried: 1 });
    expect(await stateOf('unknown@example.com')).toBe('unknown');
  });

  it('leaves refused ones alone when only unknown ones are meant', async () => {
    expect(await owner.read('retry', '--state', 'unknown', '--yes')).toEqual({ retried: 1 });
    expect(await owner.read('retry', '--state', 'unknown', '--yes')).toEqual({ retried: 0 });
    expect(await stateOf('refused@example.com')).toBe('refused');
  });

  it('never sends again what was sent or waits by itself', async () => {
    for (const address of ['sent@example.com', 'waiting@example.com', 'nobody@example.com']) {
      const ended = await owner.run(['retry', address, '--yes']);
      expect(ended).toEqual({
        status: 1,
        stdout: '',
        stderr: `No welcome to ${address} is refused or unknown.\n`,
      });
    }
    expect(await stateOf('sent@example.com')).toBe('sent');
  });

  it('has nothing to do when nothing failed', async () => {
    await sql`delete from private.outbox where state in ('refused', 'unknown')`;
    expect(await owner.run(['retry'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'No welcome is refused or unknown.\n',
    });
  });
});

describe('remove', () => {
  it('asks, and takes yes for an answer', async () => {
    const { status, screen } = await owner.type(['remove', 'WAITING@example.com'], 'yes\r');
    expect(screen).toContain('Remove waiting@example.com from list and outbox? [y/N]');
    expect(screen).toContain('waiting@example.com is not on the list any more.');
    expect(status).toBe(0);
    expect(await isMember('waiting@example.com')).toBe(false);
    expect(await stateOf('waiting@example.com')).toBeUndefined();
  });

  it.each([
    ['no', 'n\r', 1],
    ['nothing', '\r', 1],
    ['the end of the input', '\x04', 1],
    ['Ctrl-C', '\x03', 130],
  ])('takes %s for a no', async (_, answer, expected) => {
    const { status } = await owner.type(['remove', 'sent@example.com'], answer);
    expect(status).toBe(expected);
    expect(await isMember('sent@example.com')).toBe(true);
  });

  it('wants --yes where nobody can be asked', async () => {
    const ended = await owner.run(['remove', 'sent@example.com']);
    expect(ended).toEqual({
      status: 2,
      stdout: '',
      stderr: 'Remove sent@example.com from list and outbox? Nobody is there to ask: add --yes to do it.\n',
    });
    expect(await isMember('sent@example.com')).toBe(true);
    expect(await owner.read('remove', 'sent@example.com', '--yes')).toEqual({
      address: 'sent@example.com',
      removed: true,
    });
    expect(await isMember('sent@example.com')).toBe(false);
  });

  it('says that an address was not there', async () => {
    const said = await owner.run(['remove', 'nobody@example.com', '--yes']);
    expect(said).toEqual({ status: 1, stdout: '', stderr: 'nobody@example.com was not on the list.\n' });
    const json = await owner.run(['remove', 'nobody@example.com', '--yes', '--json']);
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({ address: 'nobody@example.com', removed: false });
  });

  it('takes one address and nothing else', async () => {
    const { status, stderr } = await owner.run(['remove', 'a@example.com,b@example.com', '--yes']);
    expect(status).toBe(2);
    expect(stderr).toContain('Give one address such as name@example.com.');
  });
});

describe('limits', () => {
  const addresses = {
    name: 'addresses',
    value: 3000,
    meaning: 'Sign-ups an hour from all callers together.',
  };

  it('prints each with its value and what it means', async () => {
    const { stdout } = await owner.run(['limits']);
    expect(stdout.split('\n')[0]).toBe(
      'addresses           3000  Sign-ups an hour from all callers together.',
    );
    expect(await owner.read('limits')).toEqual([
      addresses,
      expect.objectContaining({ name: 'caller_addresses', value: 60 }),
      expect.objectContaining({ name: 'deliveries', value: 2 }),
      expect.objectContaining({ name: 'mailbox_calls', value: 5 }),
      expect.objectContaining({ name: 'mailbox_deliveries', value: 5 }),
      expect.objectContaining({ name: 'network_calls', value: 300 }),
      expect.objectContaining({ name: 'unknown_callers', value: 100 }),
    ]);
  });

  it('sets one, and says what it was', async () => {
    const ended = await owner.run(['limits', 'set', 'addresses', '5000']);
    expect(ended.stdout).toBe(
      'addresses is 5000 now, and was 3000: Sign-ups an hour from all callers together.\n',
    );
    expect(await sql`select value from private.limits where name = 'addresses'`).toEqual([{ value: 5000 }]);
    expect(await owner.read('limits', 'set', 'addresses', '3000')).toEqual({ ...addresses, previous: 5000 });
  });

  it('names the limits when there is none of that name', async () => {
    expect(await owner.run(['limits', 'set', 'adresses', '5000'])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'There is no limit "adresses". The limits are: addresses, caller_addresses, deliveries, mailbox_calls, mailbox_deliveries, network_calls, unknown_callers.\n',
    });
  });

  it.each(['0', '-1', '1.5', 'many', '2147483648'])('does not take %s for a value', async (value) => {
    const { status } = await owner.run(['limits', 'set', '--', 'addresses', value]);
    expect(status).toBe(2);
    expect(await owner.read('limits')).toContainEqual(addresses);
  });
});
