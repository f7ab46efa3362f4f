import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { CommandLine } from './command-line.ts';

const sql = postgres(inject('databaseUrl'), { max: 2, onnotice: () => {} });
const owner = new CommandLine(inject('databaseUrl'));

beforeAll(() => owner.start());
beforeEach(() => sql`delete from private.outbox`);
afterAll(async () => {
  await owner.stop();
  await sql.end();
});

/** Puts a welcome that was sent into the outbox, and an event of the provider beside it. */
async function addEvent(name: string, kind: string, problem: string | null = null): Promise<void> {
  await sql`
    insert into private.outbox (email, state, sent_at, provider_id)
    values (${`${name}@example.com`}, 'sent', '2026-11-21T08:00:00Z', ${name})`;
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, at, problem)
    select 'event for ' || provider_id, provider_id, id, ${kind}, timestamptz '2026-11-21T09:00:00.123Z', ${problem}::text
    from private.outbox where provider_id = ${name}`;
}

describe('returned', () => {
  it('prints what bounced or was marked as spam, and nothing that arrived', async () => {
    await addEvent('gone', 'bounced', 'The mailbox does not exist');
    await addEvent('angry', 'complained');
    await addEvent('glad', 'delivered');
    expect(await owner.run(['returned'])).toEqual({
      status: 0,
      stdout: [
        '2026-11-21T09:00:00Z  complained  angry@example.com\n',
        '2026-11-21T09:00:00Z  bounced     gone@example.com  The mailbox does not exist\n',
      ].join(''),
      stderr: '',
    });
    expect(await owner.read('returned')).toContainEqual({
      address: 'gone@example.com',
      kind: 'bounced',
      problem: 'The mailbox does not exist',
      sent_at: '2026-11-21T08:00:00.000Z',
      returned_at: '2026-11-21T09:00:00.123Z',
    });
  });

  it('prints thousands of them, each once', async () => {
    await sql`
      insert into private.outbox (email, state, sent_at, provider_id)
      select 'member' || number || '@example.com', 'sent', now(), number from generate_series(1, 2500) as number`;
    await sql`
      insert into private.delivery_events (id, message, delivery, kind, at)
      select 'event ' || provider_id, provider_id, id, 'bounced', timestamptz '2026-11-21' from private.outbox`;
    const rows = (await owner.read('returned')) as { address: string }[];
    expect(new Set(rows.map(({ address }) => address)).size).toBe(2500);
    expect(rows).toHaveLength(2500);
  });

  it('says that nothing came back', async () => {
    expect(await owner.run(['returned'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'No welcome came back.\n',
    });
    expect(await owner.read('returned')).toEqual([]);
  });
});
