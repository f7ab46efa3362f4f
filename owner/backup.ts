import { createHmac, type Hmac } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import type { TransactionSql } from 'postgres';
import { UsageError } from './usage-error.ts';

// A backup is JSON Lines: a row of a table per line, then a seal that nobody can make without TOKEN_SECRET. A restore needs the
// same TOKEN_SECRET anyway, or addresses that must never be mailed would not be recognized.

const PAGE = 500; // rows

/** The tables of a backup. Each comes after those that it refers to, as in a sign-up, so that the two cannot deadlock. */
export const savedTables = [
  'private.templates',
  'private.announcements',
  'public.waitlist_emails',
  'private.members',
  'private.outbox',
  'private.never_mailed',
  'private.delivery_events',
];

/** The tables that no backup needs, and why. */
export const unsavedTables = {
  'private.calls': 'limits callers for an hour',
  'private.hours': 'counts what happened to the project itself in the last days',
  'private.limits': 'depends on the plan at the provider, not on the list',
  'private.pace': 'describes the deliveries of the moment',
  'private.used_tokens': 'answers a second click for ten minutes',
};

/** Reads every row of the saved tables with every column, all as they are at one moment. */
export async function* readRows(sql: TransactionSql): AsyncGenerator<string[]> {
  await sql`set local timezone = 'UTC'`;
  const rows = savedTables.map(
    (table) => `
      select jsonb_build_object('${table}', to_jsonb(entry))::text as line from ${table} as entry
      ${/* Neither tests nor the turns of known addresses. */ table === 'private.outbox' ? 'where member is not null' : ''}`,
  );
  // One query, so that everything is of one moment. COPY would be as good, but the driver's stream of it can stop before its end.
  const query = sql.unsafe<{ line: string }[]>(rows.join(' union all '));
  for await (const page of query.cursor(PAGE)) yield page.map(({ line }) => line);
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
  yield formatSeal(seal);
}

/** Reads the rows of a backup. Throws a UsageError at the end, unless it is the whole file and nobody has changed it. */
export async function* readBackup(file: string, secret: string): AsyncGenerator<string[]> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${file}.`);
  const seal = startSeal(secret);
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const rows = (rest + chunk).split('\n');
    // The last two are the seal and an empty line, or belong to the next chunk.
    rest = rows.splice(-2).join('\n');
    for (const row of rows) seal.update(`${row}\n`);
    if (rows.length > 0) yield rows;
  }
  if (rest !== formatSeal(seal))
    throw new UsageError(
      `${file} is not a whole, unchanged backup, or it was written with another TOKEN_SECRET. Nothing was restored.`,
    );
}

/**
 * Adds the rows of a backup to the list, and returns how many each table got. Members who are there stay as they are, and get
 * the announcements that they had. Throws an Error for a column that the database does not have.
 */
export async function mergeRows(
  sql: TransactionSql,
  rows: AsyncIterable<string[]>,
): Promise<Map<string, number>> {
  await sql`create temporary table backup (entry jsonb not null) on commit drop`;
  for await (const page of rows)
    await sql`insert into backup select entry from jsonb_array_elements(${`[${page.join(',')}]`}::text::jsonb) as entry`;
  for (const table of savedTables)
    await sql.unsafe(`
      create temporary table ${draftOf(table)} on commit drop as
        select saved.* from backup, jsonb_populate_record(null::${table}, entry -> '${table}') as saved where entry ? '${table}';
      analyze ${draftOf(table)}`);
  // Waits for another restore, and for an announcement that is being queued.
  await sql`lock table private.announcements in share row exclusive mode`;
  // A member whose new welcome has not been tried yet, but who got one before: the old sign-up counts.
  await sql`
    delete from public.waitlist_emails where email in (
      select listed.email from public.waitlist_emails as listed
      join private.members as member on member.email = listed.email
      join private.outbox as welcome on welcome.member = member.id and welcome.announcement is null
      join draft_members as saved on saved.email = member.email
      join draft_outbox as earlier on earlier.member = saved.id and earlier.announcement is null
      where welcome.state = 'waiting' and welcome.tries = 0 and earlier.state <> 'waiting'
      for update of listed skip locked)`;
  const added = new Map<string, number>();
  for (const table of savedTables) {
    if (table === 'private.outbox') await readdress(sql);
    added.set(table, await mergeTable(sql, table));
  }
  await sql.unsafe(`analyze ${savedTables.join(', ')}`);
  return added;
}

/** Gives the messages in a backup to the members who are on the list. Those do not leave until the end. */
async function readdress(sql: TransactionSql): Promise<void> {
  await sql`
    select from public.waitlist_emails as listed join draft_members as saved on saved.email = listed.email
    order by listed.email for key share of listed`;
  await sql`
    update draft_outbox as entry set member = member.id
    from draft_members as saved join private.members as member on member.email = saved.email
    where entry.member = saved.id and member.id <> saved.id`;
}

async function mergeTable(sql: TransactionSql, table: string): Promise<number> {
  const columns = await sql<{ name: string; is_known: boolean }[]>`
    select quote_ident(name) as name, exists (select from pg_attribute where attrelid = ${table}::regclass and attname = name) as is_known
    from (select entry from backup where entry ? ${table} limit 1) as first_row, jsonb_object_keys(entry -> ${table}) as name`;
  if (columns.length === 0) return 0;
  const unknown = columns.find(({ is_known }) => !is_known);
  if (unknown)
    throw new Error(
      `Nothing was restored: the backup comes from another version, because this database has no column ${unknown.name} in ${table}.`,
    );
  // A row stays behind together with the row that it refers to.
  const references = await sql<{ condition: string }[]>`
    select format('and (saved.%1$I is null or exists (select from %2$s as parent where parent.%3$I = saved.%1$I))',
      child.attname, confrelid::regclass, parent.attname) as condition
    from pg_constraint
    join pg_attribute as child on child.attrelid = conrelid and child.attnum = conkey[1]
    join pg_attribute as parent on parent.attrelid = confrelid and parent.attnum = confkey[1]
    where conrelid = ${table}::regclass and contype = 'f'`;
  const names = columns.map(({ name }) => name).join(', ');
  const { count } = await sql.unsafe(`
    insert into ${table} (${names}) select ${names} from ${draftOf(table)} as saved
    where true ${references.map(({ condition }) => condition).join(' ')}
    on conflict do nothing`);
  return count;
}

/** Returns the name of the temporary table with a backup's rows for a table. */
function draftOf(table: string): string {
  return table.replace(/^.*\./, 'draft_');
}

/** Starts a keyed hash of a backup's text. */
function startSeal(secret: string): Hmac {
  return createHmac('sha256', secret).update('backup:');
}

function formatSeal(seal: Hmac): string {
  return `${JSON.stringify({ seal: seal.digest('base64url') })}\n`;
}
