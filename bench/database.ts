import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { migrate, prepareDatabase } from '../local/database.ts';
import { findFreePort, prepareDataDir } from '../local/settings.ts';
import { Supervisor } from '../local/supervisor.ts';

const sizes = [0, 100_000, 1_000_000]; // members
const rounds = 12; // of sign-ups
const connections = 16;
const signUps = 2_000; // in one round
const signUpRate = `sign-ups a second, ${connections} connections`;
const samples = 100; // consecutive calls
const backlog = 100_000; // waiting welcomes

const message = JSON.stringify({ html: 'x'.repeat(12_000) });
const root = resolve(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
const port = await findFreePort();
const urlOf = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`;
const supervisor = new Supervisor();

try {
  prepareDataDir(dataDir);
  await supervisor.start(prepareDatabase(dataDir, port));
  // One database per size, so that the sizes can take turns and a slow moment of the machine affects all of them.
  const subjects = [];
  for (const size of sizes)
    subjects.push({ size, sql: await prepare(size), figures: new Map<string, number[]>() });
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another size: the first one profits from an idle machine.
    for (const index of subjects.keys()) {
      const { size, sql, figures } = subjects[(index + round) % subjects.length]!;
      console.error(`round ${round + 1}: ${size} members`);
      figures.set(signUpRate, [...(figures.get(signUpRate) ?? []), await measureSignUps(sql)]);
    }
  }
  for (const { size, sql, figures } of subjects)
    for (const [name, value] of Object.entries(await measureCalls(sql, size))) figures.set(name, [value]);
  console.log(`| ${['', ...sizes.map((size) => `${size.toLocaleString('en')} members`)].join(' | ')} |`);
  console.log(`| :- | ${sizes.map(() => '-:').join(' | ')} |`);
  for (const name of subjects[0]!.figures.keys())
    console.log(
      `| ${name} | ${subjects.map(({ figures }) => median(figures.get(name)!).toPrecision(3)).join(' | ')} |`,
    );
  for (const { sql } of subjects) await sql.end();
} finally {
  await supervisor.stopAll();
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
  await sql`update private.limits set value = 1000000000, highest = 1000000000 where name = 'addresses'`;
  await sql`
    insert into private.outbox (email, email_hash, state, accepted_at, sent_at, provider_id, unsubscribe_token_hash)
    select 'member' || n || '@example.com', md5(n::text), 'sent', at, at, 'message ' || n, 'token ' || n
    from generate_series(1, ${size}::int) as n, lateral (select now() - n * interval '1 second' as at) as moment`;
  await sql`
    insert into waitlist_emails (email, created_at, source, accepted)
    select email, accepted_at, 'landing_page', true from private.outbox`;
  await sql`insert into private.never_mailed select md5(n::text) from generate_series(1, ${size}::int, 100) as n`;
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, at)
    select 'event ' || provider_id, provider_id, id, 'bounced', sent_at from private.outbox join private.never_mailed using (email_hash)`;
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
  await sql`delete from private.outbox where state = 'waiting'`;
  await sql`delete from waitlist_emails where email !~ '^member'`;
  await sql`delete from private.calls where at is not null`;
  await sql`vacuum analyze`;
}

/** Returns the milliseconds of each call, as medians. */
async function measureCalls(sql: postgres.Sql, size: number): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const emails: string[] = [];
  const times: Record<'new' | 'known', number[]> = { new: [], known: [] };
  for (let index = 0; index < samples; index++) {
    const email = `${randomUUID()}@example.com`;
    times.new.push(await time(() => accept(sql, email)));
    emails.push(email);
    times.known.push(
      await time(() => accept(sql, size ? `member${1 + ((index * 7919) % size)}@example.com` : emails[0])),
    );
  }
  figures['a new address, ms'] = median(times.new);
  figures['a known address, ms'] = median(times.known);
  figures['the public insert, new address, ms'] = await sample(() =>
    insert(sql, `${randomUUID()}@example.com`),
  );
  figures['the public insert, known address, ms'] = await sample(() => insert(sql, emails[0]!));
  figures['leaving, ms'] = await sample(
    () => sql`select * from leave_waitlist(${`token of ${emails.pop()}`})`,
  );

  await sql`delete from private.outbox where state = 'waiting'`;
  await sql`
    insert into private.outbox (email, email_hash, message)
    select 'waiting' || n || '@example.com', md5('w' || n), '{}' from generate_series(1, ${backlog}::int) as n`;
  await sql`analyze private.outbox`;
  figures[`a lease with ${backlog.toLocaleString('en')} waiting, ms`] = await sample(() => lease(sql));
  await removeNewMembers(sql);

  const owner: Record<string, () => Promise<unknown>> = {
    'list_members, a page': () => sql`select * from list_members()`,
    'list_members, a page that matches little': () =>
      sql`select * from list_members(matching => 'member99999')`,
    'list_members, a page that may be mailed': () => sql`select * from list_members(mailable => true)`,
    count_members: () => sql`select count_members()`,
    'count_members that match': () => sql`select count_members(matching => 'member99999')`,
    list_outbox: () => sql`select * from list_outbox()`,
    list_returned: () => sql`select * from list_returned()`,
    find_member: () => sql`select * from find_member('member7@example.com')`,
    summarize_waitlist: () => sql`select * from summarize_waitlist()`,
    'back_up_members, a page': () => sql`select * from back_up_members()`,
    'back_up_never_mailed, a page': () => sql`select * from back_up_never_mailed()`,
    count_unknown: () => sql`select count_unknown()`,
    retry_outbox: () => sql`select retry_outbox()`,
    remove_member: () => sql`select remove_member('nobody@example.com')`,
    inspect_sign_up: () => sql`select * from inspect_sign_up('member7@example.com')`,
    forget_probe: () => sql`select forget_probe('delivered+probe-1@resend.dev')`,
  };
  for (const [name, call] of Object.entries(owner))
    figures[`${name}, ms`] = median([await time(call), await time(call)]);

  // Last, because it adds rows to the outbox.
  const text = JSON.stringify({ subject: 'We are live', html: 'x'.repeat(20_000), text: 'x' });
  figures['preview_announcement, ms'] = await time(() => sql`select preview_announcement('launch', ${text})`);
  figures['queue_announcement, ms'] = await time(() => sql`select queue_announcement('launch', ${text})`);
  figures['a lease that adds 5,000 messages, ms'] = await time(() => lease(sql));
  figures['a lease while it runs, ms'] = await sample(() => lease(sql));
  figures['queue_announcement again, ms'] = await time(
    () => sql`select queue_announcement('launch', ${text})`,
  );
  figures['summarize_announcement, ms'] = await time(
    () => sql`select * from summarize_announcement('launch')`,
  );
  for (const name of ['summarize_waitlist', 'back_up_members, a page'])
    figures[`${name}, while it runs, ms`] = await time(owner[name]!);
  await sql`select stop_announcement('launch', true)`;
  figures['a lease while it is stopped, ms'] = await sample(() => lease(sql));
  return figures;
}

async function lease(sql: postgres.Sql): Promise<void> {
  await sql`update private.pace set next_delivery_at = now()`;
  await sql`select * from lease_delivery()`;
}

function accept(sql: postgres.Sql, email = `${randomUUID()}@example.com`): Promise<unknown> {
  return sql`
    select * from accept_sign_up(${email}, ${message}, ${randomUUID()}, ${`token of ${email}`}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${email})`;
}

function insert(sql: postgres.Sql, email: string): Promise<unknown> {
  return sql.begin(async (visitor) => {
    await visitor`set local role anon`;
    await visitor`insert into waitlist_emails (email, source) values (${email}, 'landing_page')`;
  });
}

async function sample(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < samples; index++) times.push(await time(work));
  return median(times);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
