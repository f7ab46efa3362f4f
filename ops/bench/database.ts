import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrate, prepareDatabase } from '../stack/database.ts';
import { findFreePort } from '../stack/settings.ts';
import { RunningParts } from '../stack/running-parts.ts';

/** Measures sign-ups and the calls of the database on lists of several sizes, and prints the table of ops/bench/README.md. */
const sizes = [0, 100_000, 1_000_000]; // members
const rounds = 12; // of sign-ups
const connections = 16;
const signUps = 2_000; // in one round
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
const urlOf = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`;
const parts = new RunningParts(dataDir);

try {
  await parts.start(prepareDatabase(dataDir, port));
  // One database per size, so that the sizes can take turns and a slow moment of the machine affects all of them.
  const databases = [];
  for (const size of sizes) databases.push({ sql: await prepare(size), rates: [] as number[] });
  for (let round = 0; round < rounds; round++) {
    // Each round starts with a different size, because the first one profits from an idle machine.
    for (const index of databases.keys()) {
      console.error(`round ${round + 1} of ${rounds}`);
      const { sql, rates } = databases[(index + round) % databases.length]!;
      rates.push(await measureSignUps(sql, round));
    }
  }
  const columns: Record<string, number>[] = [];
  for (const { sql, rates } of databases) {
    const name = `sign-ups a second, ${connections} connections`;
    columns.push({ [name]: median(rates), ...(await measureCalls(sql)) });
    await sql.end();
  }
  console.log(`| | ${sizes.map((size) => `${size.toLocaleString('en')} members`).join(' | ')} |`);
  console.log(`| :- | ${sizes.map(() => '-:').join(' | ')} |`);
  for (const name of Object.keys(columns[0]!)) {
    const figures = columns.map((column) => Number(column[name]!.toPrecision(3)).toLocaleString('en'));
    console.log(`| ${name} | ${figures.join(' | ')} |`);
  }
} finally {
  await parts.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Creates a database with a number of members. One in a hundred is never mailed again, and one in ten waits for the welcome. */
async function prepare(size: number): Promise<postgres.Sql> {
  const name = `members_${size}`;
  const admin = postgres(urlOf('postgres'), { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  await migrate(urlOf(name));
  const sql = postgres(urlOf(name), { max: connections, onnotice: () => {} });
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
  return sql;
}

/** Returns sign-ups a second, and removes the members again. */
async function measureSignUps(sql: postgres.Sql, round: number): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: signUps }, (_, place) => {
      const id = `${round}-${place}`;
      return sql.unsafe(`select ${accept(`bench${id}@example.com`, id)}`);
    }),
  );
  const rate = (signUps * 1000) / (performance.now() - started);
  await sql`delete from waitlist_emails where email like 'bench%'`;
  await sql`delete from private.calls where at is not null`;
  await sql`vacuum analyze`;
  return rate;
}

/** Returns the median time of each call. */
async function measureCalls(sql: postgres.Sql): Promise<Record<string, number>> {
  const medians: Record<string, number> = {};
  for (const [name, makeStatement] of Object.entries({ ...calls, ...ownersCalls })) {
    // Only the first one queues a message for each member.
    const turns = name in ownersCalls ? 1 : samples;
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const started = performance.now();
      await sql.unsafe(makeStatement(turn));
      times.push(performance.now() - started);
    }
    medians[`${name}, ms`] = median(times);
  }
  return medians;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
