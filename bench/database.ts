import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { migrate, prepareDatabase } from '../local/database.ts';
import { findFreePort, prepareDataDir } from '../local/settings.ts';
import { RunningParts } from '../local/running-parts.ts';

const sizes = [0, 100_000, 1_000_000]; // members
const rounds = 12; // of sign-ups
const connections = 16;
const signUps = 2_000; // in one round
const samples = 100; // consecutive calls
const backlog = 100_000; // waiting welcomes

/** The calls of the owner's commands and of the probe, by the name of their row in the table. */
const ownerCalls = {
  'list_members, a page': 'list_members()',
  'list_members, a page that may be mailed': 'list_members(mailable => true)',
  count_members: 'count_members()',
  list_outbox: 'list_outbox()',
  list_returned: 'list_returned()',
  find_member: `find_member('member7@example.com')`,
  summarize_waitlist: 'summarize_waitlist()',
  retry_outbox: 'retry_outbox()',
  remove_member: `remove_member('nobody@example.com')`,
  inspect_sign_up: `inspect_sign_up('member7@example.com')`,
  forget_probe: `forget_probe('delivered+probe-1@resend.dev')`,
};

const welcome = JSON.stringify({ subject: 'Welcome', html: 'x'.repeat(12_000), text: 'x' });
const root = resolve(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
const port = await findFreePort();
const urlOf = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`;
const parts = new RunningParts();

try {
  prepareDataDir(dataDir);
  await parts.start(prepareDatabase(dataDir, port));
  // One database per size, so that the sizes can take turns and a slow moment of the machine affects all of them.
  const subjects = [];
  for (const size of sizes) subjects.push({ size, sql: await prepare(size), rates: [] as number[] });
  for (let round = 0; round < rounds; round++) {
    // Each round starts with a different size, because the first one profits from an idle machine.
    for (const index of subjects.keys()) {
      const { size, sql, rates } = subjects[(index + round) % subjects.length]!;
      console.error(`round ${round + 1}: ${size} members`);
      rates.push(await measureSignUps(sql));
    }
  }
  const columns: Record<string, number>[] = [];
  for (const { size, sql, rates } of subjects) {
    const name = `sign-ups a second, ${connections} connections`;
    columns.push({ [name]: median(rates), ...(await measureCalls(sql, size)) });
    await sql.end();
  }
  console.log(`| | ${sizes.map((size) => `${size.toLocaleString('en')} members`).join(' | ')} |`);
  console.log(`| :- | ${sizes.map(() => '-:').join(' | ')} |`);
  for (const name of Object.keys(columns[0]!))
    console.log(`| ${name} | ${columns.map((figures) => round(figures[name]!)).join(' | ')} |`);
} finally {
  await parts.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Creates a database with a number of members. One in a hundred is never mailed again. */
async function prepare(size: number): Promise<postgres.Sql> {
  const name = `members_${size}`;
  const admin = postgres(urlOf('postgres'), { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  await migrate({ root, databaseUrl: urlOf(name) });
  const sql = postgres(urlOf(name), { max: connections, onnotice: () => {} });
  await sql`update private.limits set value = 1000000000, highest = 1000000000 where name = 'all_calls'`;
  await sql`
    insert into waitlist_emails (email, created_at, source)
    select 'member' || n || '@example.com', now() - n * interval '1 second', 'landing_page'
    from generate_series(1, ${size}::int) as n`;
  await sql`
    insert into private.members (id, email, token_hash, mailbox_hash)
    select gen_random_uuid(), email, 'token of ' || email, 'mailbox of ' || email from waitlist_emails`;
  await sql`
    insert into private.outbox (member, template, mailbox_hash, state, accepted_at, sent_at, provider_id)
    select id, private.store_template(${welcome}), mailbox_hash, 'sent', created_at, created_at, 'message to ' || email
    from private.members join waitlist_emails using (email)`;
  await sql`
    insert into private.never_mailed (mailbox_hash)
    select 'mailbox of member' || n || '@example.com' from generate_series(1, ${size}::int, 100) as n`;
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, is_final, at)
    select 'event ' || provider_id, provider_id, id, 'bounced', true, sent_at
    from private.outbox join private.never_mailed using (mailbox_hash)`;
  await sql`vacuum analyze`;
  return sql;
}

/** Returns sign-ups a second, and removes the members again. */
async function measureSignUps(sql: postgres.Sql): Promise<number> {
  const started = performance.now();
  await Promise.all(Array.from({ length: signUps }, () => accept(sql)));
  const rate = (signUps * 1000) / (performance.now() - started);
  await removeNewMembers(sql);
  return rate;
}

async function removeNewMembers(sql: postgres.Sql): Promise<void> {
  await sql`delete from waitlist_emails where email !~ '^member'`;
  await sql`delete from private.outbox where state = 'waiting'`;
  await sql`delete from private.calls where at is not null`;
  await sql`vacuum analyze`;
}

async function measureCalls(sql: postgres.Sql, size: number): Promise<Record<string, number>> {
  const taken: Record<string, number[]> = {};
  const measure = async (name: string, times: number, call: (index: number) => Promise<unknown>) => {
    for (let index = 0; index < times; index++) {
      const started = performance.now();
      await call(index);
      (taken[`${name}, ms`] ??= []).push(performance.now() - started);
    }
  };
  const address = (index: number) => `new${index}@example.com`;
  const known = (index: number) => (size ? `member${1 + ((index * 7919) % size)}@example.com` : address(0));
  // These calls take turns, so that a slow moment of the machine affects both.
  for (let index = 0; index < samples; index++) {
    await measure('a new address', 1, () => accept(sql, address(index)));
    await measure('a known address', 1, () => accept(sql, known(index)));
  }
  for (let index = 0; index < samples; index++) {
    await measure('the public insert, new address', 1, () => insert(sql, `${randomUUID()}@example.com`));
    await measure('the public insert, known address', 1, () => insert(sql, address(0)));
  }
  await measure('leaving', samples, (index) => sql`select leave_waitlist(${`token of ${address(index)}`})`);

  await removeNewMembers(sql);
  await sql`
    insert into waitlist_emails (email, source)
    select 'waiting' || n || '@example.com', 'landing_page' from generate_series(1, ${backlog}::int) as n`;
  await sql`
    insert into private.members (id, email, token_hash, mailbox_hash)
    select gen_random_uuid(), email, email, email from waitlist_emails where email like 'waiting%'`;
  await sql`
    insert into private.outbox (member, template, mailbox_hash)
    select id, private.store_template(${welcome}), mailbox_hash from private.members where email like 'waiting%'`;
  await sql`analyze`;
  await measure(`a lease with ${backlog.toLocaleString('en')} waiting`, samples, () => lease(sql));
  await removeNewMembers(sql);

  const call = (statement: string) => () => sql.unsafe(`select * from ${statement}`);
  for (const [name, statement] of Object.entries(ownerCalls)) await measure(name, 2, call(statement));

  // Last, because it adds rows to the outbox.
  const text = JSON.stringify({ subject: 'We are live', html: 'x'.repeat(20_000), text: 'x' });
  await measure('preview_announcement', 1, call(`preview_announcement('launch', '${text}')`));
  await measure('queue_announcement', 1, call(`queue_announcement('launch', '${text}')`));
  await measure('a lease while it runs', samples, () => lease(sql));
  return Object.fromEntries(Object.entries(taken).map(([name, times]) => [name, median(times)]));
}

async function lease(sql: postgres.Sql): Promise<void> {
  await sql`update private.pace set next_delivery_at = now()`;
  await sql`select * from lease_delivery()`;
}

function accept(sql: postgres.Sql, email = `${randomUUID()}@example.com`): Promise<unknown> {
  return sql`
    select * from accept_sign_up(
      ${email}, ${welcome}, ${randomUUID()}, ${`token of ${email}`}, ${randomUUID()}, ${randomUUID()}, ${`mailbox of ${email}`})`;
}

function insert(sql: postgres.Sql, email: string): Promise<unknown> {
  return sql.begin(async (visitor) => {
    await visitor`set local role anon`;
    await visitor`insert into waitlist_emails (email, source) values (${email}, 'landing_page')`;
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function round(figure: number): string {
  return Number(figure.toPrecision(3)).toLocaleString('en');
}
