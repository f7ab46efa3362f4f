import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseUrl } from './database.ts';

const template = '{"subject":"","html":"","text":""}';
const members = 8_000;
const calls = 7; // from the sixth on, PostgreSQL may use a plan that fits any argument
const enough = 300; // rows

// One connection, because PostgreSQL counts what was read for each.
const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });

beforeAll(async () => {
  // As on a real project, where small tables often still have the statistics of empty ones.
  await sql`analyze`;
  await sql`
    insert into waitlist_emails (email, source)
    select 'member' || n || '@example.com', 'landing_page' from generate_series(1, ${members}::int) as n`;
  await sql`
    insert into private.members (email, address_hash, mailbox_hash)
    select 'member' || n || '@example.com', 'address ' || n, md5(n::text)
    from generate_series(1, ${members}::int) as n`;
  await sql`
    insert into private.outbox (member, mailbox_hash, state, provider_id, template)
    select id, mailbox_hash,
      case when n % 3 = 0 then 'waiting' when n % 100 = 1 then 'refused' else 'sent' end::private.delivery_state,
      'message ' || n, private.store_template(${template})
    from private.members, lateral (select substring(email from '[0-9]+')::int as n) as number`;
  for (const name of ['running', 'stopped']) await sql`select queue_announcement(${name}, ${template})`;
  await sql`select stop_announcement('stopped', true)`;
  await sql`
    insert into private.never_mailed (hash)
    select md5(n::text) from generate_series(2, ${members}::int, 5) as n`;
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, is_final, at)
    select id, provider_id, id, 'bounced', true, now() - row_number() over () * interval '1 second'
    from private.outbox join private.never_mailed on hash = mailbox_hash where announcement is null`;
  await sql`
    insert into private.calls (at, caller_hash, mailbox_hash)
    select now(), 'c' || n, 'm' || n from generate_series(1, ${members}::int) as n`;
  await sql`
    analyze waitlist_emails, private.members, private.outbox, private.calls, private.delivery_events, private.never_mailed`;
});
afterAll(() => sql.end());

// PostgreSQL may still count reads of earlier transactions here, so that only differences mean something.
const countRead = async (transaction: postgres.TransactionSql) =>
  Number(
    (
      await transaction`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_xact_user_tables
        where relname in ('outbox', 'members', 'waitlist_emails', 'calls', 'delivery_events')`
    )[0]!['rows'],
  );

it.each<[call: string, before?: string]>([
  [`accept_sign_up('new' || n || '@example.com', '${template}', n::text, n::text, n::text)`],
  [`accept_sign_up('member' || n || '@example.com', '${template}', n::text, n::text, n::text)`],
  [`unsubscribe_member((select id from private.members where email = 'member' || n || '@example.com'))`],
  [`remove_members(array['member' || n || '@example.com'], n % 2 = 0)`],
  // Every ten seconds, a lease takes stock.
  [`lease_delivery()`, `select private.take_stock(clock_timestamp())`],
  [
    // An announcement.
    `lease_delivery()`,
    `update private.outbox set next_try_at = now() + interval '1 day' where announcement is null;
    select private.take_stock(clock_timestamp())`,
  ],
  [`record_sent((select id from private.outbox where provider_id = 'message ' || n), n::text)`],
  [`record_delivery_event(n::text, 'message ' || n, 'bounced', true, null, 'hash ' || n, 'hash ' || n)`],
  [`find_member('member' || n || '@example.com')`],
  [`set_barred('{}', false, 'member' || n || '@example.com')`],
  [`stop_announcement('running', n % 2 = 0)`],
])('on a long list, %s reads only the rows that it needs', async (call, before) => {
  let read = 0;
  const measuring = sql.begin(async (transaction) => {
    if (before) await transaction.unsafe(before);
    // From the end of the table, and never a member whose welcome waits.
    for (let n = members - 3 * calls; n < members; n += 3) {
      await transaction`update private.pace set next_delivery_at = now()`;
      const readBefore = await countRead(transaction);
      await transaction.unsafe(`select * from (select ${n} as n) as argument, lateral ${call} as result`);
      read = Math.max(read, (await countRead(transaction)) - readBefore);
    }
    throw new Error('undo');
  });
  await expect(measuring).rejects.toThrow('undo');
  expect(read).toBeLessThan(enough);
});
