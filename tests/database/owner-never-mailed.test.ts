import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { CommandLine } from './command-line.ts';

const sql = postgres(inject('databaseUrl'), { max: 2, onnotice: () => {} });
const owner = new CommandLine(inject('databaseUrl'));

beforeAll(() => owner.start());
afterAll(async () => {
  await sql`delete from private.never_mailed`;
  await owner.stop();
  await sql.end();
});

/** Members, by the state of their welcome; the provider told of two that nobody mails them again. */
beforeEach(async () => {
  await sql`delete from private.outbox`;
  await sql`delete from waitlist_emails`;
  await sql`delete from private.never_mailed`;
  const states = { bounced: 'sent', complained: 'refused', full: 'sent', glad: 'sent', late: 'unknown' };
  for (const [name, state] of Object.entries(states)) {
    await sql`
      insert into private.outbox (email, message, state, email_hash, provider_id, accepted_at)
      values (${`${name}@example.com`}, '{}', ${state}, ${`hash of ${name}`}, ${name}, '2026-11-21T08:00:00Z')`;
  }
  await sql`
    insert into waitlist_emails (email, source, accepted)
    select email, 'landing_page', true from private.outbox order by email`;
  await tell('bounced', 'bounced', 'hash of bounced');
  await tell('complained', 'complained', 'hash of complained');
  await tell('full', 'bounced', null);
});

/** What the provider tells of a welcome; with a hash the address is never mailed again. */
async function tell(name: string, kind: string, hash: string | null): Promise<void> {
  await sql`select record_delivery_event(${`event of ${name}`}, ${name}, ${kind}, now(), null, ${hash})`;
}

const stateOf = async (name: string) =>
  (await sql`select state from private.outbox where email = ${`${name}@example.com`}`)[0]?.['state'];
const emails = (text: string) => [...text.matchAll(/(\w+)@example\.com/g)].map(([, name]) => name);

describe('export', () => {
  it('leaves out whoever bounced for good or complained', async () => {
    expect(emails((await owner.run(['export'])).stdout)).toEqual(['full', 'glad', 'late']);
    expect(emails((await owner.run(['export', '--json'])).stdout)).toEqual(['full', 'glad', 'late']);
  });

  it('tells beside a file how many it leaves out', async () => {
    const file = ['export', '--output', 'members.csv', '--replace'];
    expect((await owner.run(file)).stderr).toBe(
      'Members written to members.csv: 3\nSkipped, because they bounced permanently or complained: 2\n',
    );
    expect((await owner.run([...file, '--match', 'glad'])).stderr).not.toContain('Skipped');
  });
});

describe('list', () => {
  it('prints everybody, or only whoever is never mailed again', async () => {
    expect(emails((await owner.run(['list'])).stdout)).toHaveLength(5);
    for (const order of ['oldest', 'newest']) {
      const { stdout, stderr } = await owner.run(['list', '--returned', '--order', order]);
      expect(emails(stdout).toSorted()).toEqual(['bounced', 'complained']);
      expect(stderr).toBe('');
    }
  });

  it('says that nobody is, when nobody is', async () => {
    await sql`delete from private.never_mailed`;
    expect(await owner.run(['list', '--returned'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'Nobody on the list fits.\n',
    });
  });
});

describe('retry', () => {
  it('leaves a welcome alone that is never sent again, and says so', async () => {
    const ended = await owner.run(['retry', 'complained@example.com']);
    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr: 'complained@example.com bounced for good or complained: it is never mailed again.\n',
    });
    expect(await owner.read('retry', '--state', 'refused')).toEqual({ retried: 0 });
    expect(await stateOf('complained')).toBe('refused');
  });

  it('does not ask about one, either', async () => {
    await tell('late', 'complained', 'hash of late');
    expect(await owner.run(['retry', 'late@example.com'])).toMatchObject({
      status: 1,
      stderr: 'late@example.com bounced for good or complained: it is never mailed again.\n',
    });
    expect(await stateOf('late')).toBe('unknown');
  });

  it('says of a welcome that came back from a full mailbox that it cannot be sent again, and what can be done', async () => {
    const ended = await owner.run(['retry', 'full@example.com']);
    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'The welcome to full@example.com was sent and came back (bounced). It cannot be sent again, since its text is not kept. After "remove" whoever it is can sign up anew.\n',
    });
    expect(await stateOf('full')).toBe('sent');
  });
});
