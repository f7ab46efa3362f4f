import { createHmac } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { TransactionSql } from 'postgres';
import { UsageError } from './usage-error.ts';

// A backup is JSON Lines: a row of a table per line, then a seal that nobody can make without TOKEN_SECRET. A restore needs the
// same TOKEN_SECRET anyway, or addresses that must never be mailed would not be recognized.

/** The tables of a backup. Each comes after those that it refers to. */
export const savedTables = [
  'public.waitlist_emails',
  'private.announcements',
  'private.outbox',
  'private.delivery_events',
  'private.never_mailed',
];

/** The tables that no backup needs, and why. */
export const unsavedTables = {
  'private.calls': 'counts callers for an hour',
  'private.accepted_calls': 'counts sign-ups for two days',
  'private.mailbox_deliveries': 'counts welcomes for an hour',
  'private.used_tokens': 'answers a second click for ten minutes',
  'private.limits': 'depends on the plan at the provider, not on the list',
  'private.pace': 'describes the deliveries of the moment',
  'private.restored': 'is empty',
};

// JSON contains no control characters, so with two of them as delimiter and quote, COPY writes the JSON as it is.
const lines = `(format csv, delimiter e'\\x02', quote e'\\x01')`;

/** Reads every row of the saved tables with every column, all as they are at one moment. */
export async function* readRows(sql: TransactionSql): AsyncGenerator<string[]> {
  await sql`set local timezone = 'UTC'`;
  const rows = savedTables.map(
    (table) => `select jsonb_build_object('${table}', to_jsonb(entry)) from ${table} as entry`,
  );
  yield* splitLines(
    await sql.unsafe(`copy (${rows.join(' union all ')}) to stdout with ${lines}`).readable(),
  );
}

/** Writes rows as the text of a backup. `counts` grows with them. */
export async function* writeBackup(
  rows: AsyncIterable<string[]>,
  secret: string,
  counts: Map<string, number>,
): AsyncGenerator<string> {
  const seal = startSeal(secret);
  for await (const page of rows) {
    for (const row of page) {
      const table = /^\{"([\w.]+)"/.exec(row)?.[1] ?? '';
      counts.set(table, (counts.get(table) ?? 0) + 1);
    }
    const text = page.map((row) => `${row}\n`).join('');
    seal.update(text);
    yield text;
  }
  yield `${JSON.stringify({ seal: seal.digest('base64url') })}\n`;
}

/** Reads the rows of a backup. Throws a UsageError at the end, unless it is the whole file and nobody has changed it. */
export async function* readBackup(file: string, secret: string): AsyncGenerator<string> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${file}.`);
  const seal = startSeal(secret);
  let last: string | undefined;
  for await (const page of splitLines(createReadStream(file))) {
    const rows = last === undefined ? page : [last, ...page];
    last = rows.pop();
    const text = rows.map((row) => `${row}\n`).join('');
    seal.update(text);
    if (text) yield text;
  }
  if (last !== JSON.stringify({ seal: seal.digest('base64url') }))
    throw new UsageError(
      `${file} is not a whole, unchanged backup, or it was written with another TOKEN_SECRET. Nothing was restored.`,
    );
}

/**
 * Adds the rows of a backup to the list. Rows that are there stay, except messages that still wait and that the backup knows as
 * sent. Returns how many rows each table got. Throws an Error for columns that the database does not have.
 */
export async function mergeRows(
  sql: TransactionSql,
  rows: AsyncIterable<string>,
): Promise<Map<string, number>> {
  await sql`create temporary table backup (entry jsonb not null) on commit drop`;
  await pipeline(rows, await sql.unsafe(`copy backup from stdin with ${lines}`).writable());
  // Sign-ups wait until the end. They need these tables in the same order, so the two cannot deadlock.
  await sql`lock table private.outbox, public.waitlist_emails in share row exclusive mode`;
  await sql`
    delete from private.outbox as here
    using backup, jsonb_populate_record(null::private.outbox, backup.entry -> 'private.outbox') as saved
    where backup.entry ? 'private.outbox' and saved.state <> 'waiting' and here.state = 'waiting' and here.tries = 0
      and here.email = saved.email and here.announcement is not distinct from saved.announcement`;
  const added = new Map<string, number>();
  for (const table of savedTables) added.set(table, await mergeTable(sql, table));
  return added;
}

async function mergeTable(sql: TransactionSql, table: string): Promise<number> {
  const columns = await sql<{ name: string; is_known: boolean }[]>`
    select quote_ident(name) as name, exists (select from pg_attribute where attrelid = ${table}::regclass and attname = name) as is_known
    from (select entry from backup where entry ? ${table} limit 1) as first_row, jsonb_object_keys(entry -> ${table}) as name`;
  const unknown = columns.find(({ is_known }) => !is_known);
  if (unknown)
    throw new Error(
      `The backup comes from another version: this database has no column ${unknown.name} in ${table}. Nothing was restored.`,
    );
  if (columns.length === 0) return 0;
  // A row stays behind together with the row that it refers to.
  const references = await sql<{ parent: string; child_column: string; parent_column: string }[]>`
    select confrelid::regclass::text as parent, quote_ident(child.attname) as child_column, quote_ident(parent.attname) as parent_column
    from pg_constraint
    join pg_attribute as child on child.attrelid = conrelid and child.attnum = conkey[1]
    join pg_attribute as parent on parent.attrelid = confrelid and parent.attnum = confkey[1]
    where conrelid = ${table}::regclass and contype = 'f'`;
  const conditions = references.map(
    ({ parent, child_column, parent_column }) =>
      `and (saved.${child_column} is null or exists (select from ${parent} as parent where parent.${parent_column} = saved.${child_column}))`,
  );
  const names = columns.map(({ name }) => name);
  const { count } = await sql.unsafe(`
    insert into ${table} (${names.join(', ')})
    select ${names.map((name) => `saved.${name}`).join(', ')}
    from backup, jsonb_populate_record(null::${table}, backup.entry -> '${table}') as saved
    where backup.entry ? '${table}' ${conditions.join(' ')}
    on conflict do nothing`);
  return count;
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const page = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = page.pop()!;
    yield page;
  }
  if (rest) yield [rest];
}

/** Starts a keyed hash of a backup's text. */
function startSeal(secret: string) {
  return createHmac('sha256', secret).update('backup:');
}
