import { createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import postgres, { type TransactionSql } from 'postgres';
import { readDatabaseUrl } from './values.ts';
import { UsageError } from './command.ts';
import { type Project, requireValues } from './project.ts';

// A backup is JSON Lines: a row of a table per line, then a seal that nobody can make without TOKEN_SECRET. A restore needs the
// same TOKEN_SECRET anyway, or mailboxes that must never be mailed would not be recognized.

const PAGE = 500; // rows

/** The tables of a backup, each after those that it refers to, as in a sign-up: so the two cannot deadlock. */
export const savedTables = [
  'private.templates',
  'private.announcements',
  'public.waitlist_emails',
  'private.members',
  'private.outbox',
  'private.never_mailed',
  'private.delivery_events',
];

/**
 * Works on the database itself, in one transaction without a time limit: the data API would end each call after 8 seconds.
 * Throws an Error that says what to do.
 */
export async function transact<Result>(
  project: Project,
  work: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const values = requireValues(project, 'SUPABASE_DB_URL', 'SUPABASE_DB_PASSWORD');
  const url = readDatabaseUrl(values.SUPABASE_DB_URL);
  const password = values.SUPABASE_DB_PASSWORD;
  const sql = postgres(url, { password, max: 1, connect_timeout: 15, onnotice: () => {} });
  try {
    return (await sql.begin(async (transaction) => {
      await transaction`set local statement_timeout = 0`;
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      return work(transaction);
    })) as Result;
  } catch (error) {
    throw new Error(
      `The database at ${new URL(url).host} says: ${(error as Error).message}. Nothing was changed. Check SUPABASE_DB_URL and SUPABASE_DB_PASSWORD in .env, or run it again.`,
    );
  } finally {
    await sql.end();
  }
}

/** Reads every row of the saved tables with every column, all as they are at one moment. */
export async function readRows(sql: TransactionSql): Promise<string[]> {
  await sql`set local timezone = 'UTC'`;
  const rows = savedTables.map(
    (table) => `select jsonb_build_object('${table}', to_jsonb(entry))::text as line from ${table} as entry`,
  );
  // One query, so that everything is of one moment. COPY would be as good, but the driver's stream of it can stop before its end.
  const lines = await sql.unsafe<{ line: string }[]>(rows.join(' union all '));
  return lines.map(({ line }) => line);
}

export function writeBackup(rows: string[], secret: string): string {
  const text = rows.map((row) => `${row}\n`).join('');
  return text + sealOf(text, secret);
}

/** Reads the rows of a backup. Throws a UsageError unless it is the whole file and nobody has changed it. */
export function readBackup(file: string, secret: string): string[] {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${file}.`);
  const text = readFileSync(file, 'utf8');
  const rows = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
  if (text !== rows + sealOf(rows, secret))
    throw new UsageError(
      `${file} is not a whole, unchanged backup, or it was written with another TOKEN_SECRET. Nothing was restored.`,
    );
  return rows.split('\n').slice(0, -1);
}

function sealOf(text: string, secret: string): string {
  const seal = createHmac('sha256', secret).update('backup:').update(text).digest('base64url');
  return `${JSON.stringify({ seal })}\n`;
}

/**
 * Adds the rows of a backup to the list, and returns how many members were added. Those who are there stay as they are, and get
 * the announcements that they had.
 */
export async function mergeRows(sql: TransactionSql, rows: string[]): Promise<number> {
  await sql`create temporary table backup (entry jsonb not null) on commit drop`;
  for (let at = 0; at < rows.length; at += PAGE)
    await sql`
      insert into backup select entry
      from jsonb_array_elements(${`[${rows.slice(at, at + PAGE).join(',')}]`}::text::jsonb) as entry`;
  for (const table of savedTables)
    await sql.unsafe(`
      create temporary table ${draftOf(table)} on commit drop as
        select saved.* from backup, jsonb_populate_record(null::${table}, entry -> '${table}') as saved where entry ? '${table}';
      analyze ${draftOf(table)}`);
  // Waits for another restore, and for an announcement that is being queued.
  await sql`lock table private.announcements in share row exclusive mode`;
  // A member who got a welcome before and whose new one has not been tried yet: the old sign-up counts.
  await sql`
    delete from public.waitlist_emails where email in (
      select listed.email from public.waitlist_emails as listed
      join private.members as member on member.email = listed.email
      join private.outbox as welcome on welcome.member = member.id and welcome.announcement is null
      join draft_members as saved on saved.email = member.email
      join draft_outbox as earlier on earlier.member = saved.id and earlier.announcement is null
      where welcome.state = 'waiting' and welcome.tries = 0 and earlier.state <> 'waiting'
      for update of listed skip locked)`;
  for (const table of ['private.templates', 'private.announcements']) await addDraft(sql, table);
  const added = await addDraft(sql, 'public.waitlist_emails');
  await addDraft(sql, 'private.members');
  // Those who are there do not leave until the end, and messages in the backup become theirs.
  await sql`
    select from public.waitlist_emails as listed join draft_members as saved on saved.email = listed.email
    order by listed.email for key share of listed`;
  await sql`
    update draft_outbox as entry set member = member.id
    from draft_members as saved join private.members as member on member.email = saved.email
    where entry.member = saved.id and member.id <> saved.id`;
  // Neither tests nor the turns of known addresses, which have no member.
  await addDraft(sql, 'private.outbox', 'member in (select id from private.members)');
  await addDraft(sql, 'private.never_mailed');
  await addDraft(sql, 'private.delivery_events', 'delivery in (select id from private.outbox)');
  await sql.unsafe(`analyze ${savedTables.join(', ')}`);
  return added;
}

/** Adds the rows of a backup to a table. Columns that the backup does not have get their defaults. */
async function addDraft(sql: TransactionSql, table: string, condition = 'true'): Promise<number> {
  const [{ columns }] = await sql<[{ columns: string | null }]>`
    select string_agg(quote_ident(name), ', ') as columns
    from (select entry from backup where entry ? ${table} limit 1) as first_row, jsonb_object_keys(entry -> ${table}) as name`;
  const rows = `select ${columns} from ${draftOf(table)} where ${condition}`;
  return columns === null
    ? 0
    : (await sql.unsafe(`insert into ${table} (${columns}) ${rows} on conflict do nothing`)).count;
}

function draftOf(table: string): string {
  return table.replace(/^.*\./, 'draft_');
}
