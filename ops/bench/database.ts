import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrate, prepareDatabase } from '../stack/database.ts';
import { findFreePort, writeDatabaseUrl } from '../stack/settings.ts';
import { RunningParts } from '../stack/running-parts.ts';

/** Measures sign-ups and the calls of the database on a list, and prints a column of the table in ops/bench/README.md. */
const size = Number(process.argv[2] ?? 100_000); // members
const connections = 16;
const signUps = 24_000;
const samples = 100; // of each call

const welcome = JSON.stringify({ subject: 'Welcome', html: 'x'.repeat(12_000), text: 'x' });
const text = JSON.stringify({ subject: 'We are live', html: 'x'.repeat(20_000), text: 'x' });
const accept = (email: string, id: string) =>
  `accept_sign_up('${email}', '${welcome}', '${id}', 'address ${id}', 'mailbox ${id}')`;
const insert = (email: string) =>
  `set local role anon; insert into waitlist_emails (email, source) values ('${email}', 'landing_page')`;

/** The statement of each turn, by the name of its row. */
const calls: Record<string, (turn: number) => string> = {
  'a new address': (turn) => `select ${accept(`new${turn}@example.com`, `new ${turn}`)}`,
  'a known address': (turn) => `select ${accept('new0@example.com', `known ${turn}`)}`,
  'the public insert, new address': (turn) => insert(`newer${turn}@example.com`),
  'the public insert, known address': () => insert('new0@example.com'),
  'a lease': () => `update private.pace set next_delivery_at = now() where only_row; select lease_delivery()`,
  leaving: (turn) => `
    select unsubscribe_member((select id from private.members where email = 'new${turn - 1}@example.com'))`,
};

/** The owner's calls, which come last: they read the whole list, and replace what the database has in memory. */
const ownersCalls: typeof calls = {
  list_members: () => 'select list_members()',
  list_outbox: () => 'select list_outbox()',
  find_member: () => `select find_member('member7@example.com')`,
  summarize_waitlist: () => 'select summarize_waitlist()',
  preview_announcement: () => `select preview_announcement('launch')`,
  queue_announcement: () => `select queue_announcement('launch', '${text}')`,
};

const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
const port = await findFreePort();
const parts = new RunningParts(dataDir);
try {
  await parts.start(prepareDatabase(dataDir, port));
  await migrate(writeDatabaseUrl(port));
  const sql = postgres(writeDatabaseUrl(port), { max: connections, onnotice: () => {} });
  await fill(sql);
  const started = performance.now();
  const all = Array.from({ length: signUps }, (_, place) => accept(`bench${place}@example.com`, `${place}`));
  await Promise.all(all.map((call) => sql.unsafe(`select ${call}`)));
  const seconds = (performance.now() - started) / 1000;
  console.log(`sign-ups a second, ${connections} connections: ${Math.round(signUps / seconds)}`);
  await sql`delete from waitlist_emails where email like 'bench%'`;
  await sql`delete from private.calls where at is not null`;
  await sql`vacuum analyze`;
  for (const [name, call] of Object.entries({ ...calls, ...ownersCalls })) {
    // Only the first call of an owner queues a message for each member.
    const turns = name in ownersCalls ? 1 : samples;
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const began = performance.now();
      await sql.unsafe(call(turn));
      times.push(performance.now() - began);
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(turns / 2)]!;
    console.log(`${name}, ms: ${median.toPrecision(3)}`);
  }
  await sql.end();
} finally {
  await parts.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Adds members. One in a hundred is never mailed again, and one in ten waits for the welcome. */
async function fill(sql: postgres.Sql): Promise<void> {
  await sql`update private.limits set value = 1000000000, highest = 1000000000 where name = 'all_calls'`;
  await sql`
    insert into waitlist_emails (email, created_at, source)
    select 'member' || n || '@example.com', now() - n * interval '1 second', 'landing_page'
    from generate_series(1, ${size}::int) as n`;
  await sql`
    insert into private.members (email, address_hash, mailbox_hash)
    select email, 'address ' || email, 'mailbox of ' || email from waitlist_emails`;
  await sql`
    insert into private.outbox (member, template, mailbox_hash, accepted_at, state, sent_at, provider_id)
    select id, private.store_template(${welcome}), mailbox_hash, created_at,
      case when email like '%0@%' then 'waiting' else 'sent' end::private.delivery_state, created_at, 'message to ' || email
    from private.members join waitlist_emails using (email)`;
  await sql`
    insert into private.never_mailed (hash)
    select 'address member' || n || '@example.com' from generate_series(1, ${size}::int, 100) as n`;
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, is_final, at)
    select 'event ' || provider_id, provider_id, outbox.id, 'bounced', true, sent_at
    from private.outbox join private.members on members.id = member join private.never_mailed on hash = address_hash`;
  await sql`vacuum analyze`;
}
