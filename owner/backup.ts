import { createHmac, type Hmac } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import type { TransactionSql } from 'postgres';
import { UsageError } from './usage-error.ts';

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
    (table) => `select jsonb_build_object('${table}', to_jsonb(entry))::text as line from ${table} as entry`,
  );
  // One query, so that everything is of one moment. COPY would be as good, but the driver's stream of it can stop before its end.
  const query = sql.unsafe<{ line: string }[]>(rows.join(' union all '));
  for await (const page of query.cursor(PAGE)) yield page.map(({ line }) => line);
}

/** Writes rows as the text of a backup, and counts the members. */
export async function* writeBackup(
  rows: AsyncIterable<string[]>,
  secret: string,
  counts = { members: 0 },
): AsyncGenerator<string> {
  const seal = startSeal(secret);
  for await (const page of rows) {
    const text = page.map((row) => `${row}\n`).join('');
    seal.update(text);
    counts.members += page.filter((row) => row.startsWith('{"public.waitlist_emails"')).length;
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
 * Adds the rows of a backup to the list, and returns how many members were added. Those who are there stay as they are, and get
 * the announcements that they had.
 */
export async function mergeRows(sql: TransactionSql, rows: AsyncIterable<string[]>): Promise<number> {
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
