import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ISql, Sql, TransactionSql } from 'postgres';
import { UsageError } from './command.ts';

// A backup is JSON Lines: each line has rows by their table, and all rows of a member are in one line. The last line is a seal that
// nobody can make without TOKEN_SECRET: with another secret, a restore would not recognize who must never be mailed. Backups are
// written and read line by line, because a million members with their messages do not fit into memory.

const PORTION = 500; // lines that are read from the database, or restored, at once

/** What belongs to no member, and what was sent to members who left. */
const common = {
  'private.templates': 'true',
  'private.announcements': 'true',
  'private.never_mailed': 'true',
  'private.outbox': 'left_at is not null',
  'private.delivery_events':
    'delivery in (select message.id from private.outbox as message where message.left_at is not null)',
};

/** The tables of a backup, each after those that it refers to. */
export const savedTables = ['public.waitlist_emails', 'private.members', ...Object.keys(common)];

type Row = Record<string, unknown>;

/** Reads the list and what belongs to it, with every column, all as they are at one moment. */
export async function* readLines(sql: Sql): AsyncGenerator<string> {
  await sql`set timezone = 'UTC'`;
  const rows = Object.entries(common).map(
    ([table, condition]) =>
      `select jsonb_build_object('${table}', array[to_jsonb(entry)]) from ${table} as entry where ${condition}`,
  );
  // The members of a mailbox follow each other, so that no portion of a restore mails it too often. One query, so that
  // everything is of one moment. COPY would be as good, but the driver's stream of it can stop before its end.
  const portions = sql
    .unsafe<{ line: string }[]>(
      `select line::text from (${rows.join(' union all ')}) as rows (line)
      union all
      select jsonb_build_object(
        'public.waitlist_emails', array[to_jsonb(listed)], 'private.members', array[to_jsonb(person)],
        'private.outbox', array(select to_jsonb(entry) from private.outbox as entry where entry.member = (person).id),
        'private.delivery_events', array(
          select to_jsonb(event) from private.outbox as entry join private.delivery_events as event on event.delivery = entry.id
          where entry.member = (person).id))::text
      -- Sorted before the lines are made: sorting whole lines would need as much disk as the backup.
      from (
        select listed, person from public.waitlist_emails as listed join private.members as person on person.email = listed.email
        order by person.mailbox_hash, person.email offset 0) as sorted`,
    )
    .cursor(PORTION);
  for await (const portion of portions) for (const { line } of portion) yield line;
}

/** Adds the seal after the lines of a backup. */
export async function* seal(lines: AsyncIterable<string>, secret: string): AsyncGenerator<string> {
  const hmac = createHmac('sha256', secret).update('backup');
  for await (const line of lines) {
    hmac.update(`\n${line}`);
    yield line;
  }
  yield JSON.stringify({ seal: hmac.digest('base64url') });
}

/**
 * Reads the lines of a backup, twice: the first time to check the seal. Throws a UsageError if another secret sealed it, or if it
 * was changed since.
 */
export async function* readBackup(file: string, secret: string): AsyncGenerator<string> {
  const hmac = createHmac('sha256', secret).update('backup');
  let last: string | undefined;
  for await (const line of splitLines(file)) {
    if (last !== undefined) hmac.update(`\n${last}`);
    last = line;
  }
  if (last !== JSON.stringify({ seal: hmac.digest('base64url') }))
    throw new UsageError(
      `${file} is not a whole, unchanged backup, or the last secret in TOKEN_SECRET is not that of its project. Nothing was restored.`,
    );
  for await (const line of splitLines(file)) if (line !== last) yield line;
}

/** Reads a file line by line. Node's own readline would also split at U+2028, which a text may contain. */
async function* splitLines(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest) yield rest;
}

/**
 * Adds the lines of a backup to the list, and returns how many members were added. Members of the list stay as they are, and get
 * back the record of their announcements. Those who left since stay gone, as far as the outbox remembers them. Announcements that
 * the project does not know are stopped. It works in portions, so that nobody waits for it, and can be repeated.
 */
export async function mergeLines(sql: Sql, lines: AsyncIterable<string>): Promise<number> {
  let added = 0;
  let portion: Record<string, Row[]>[] = [];
  const merge = async () => {
    const rowsOf = (table: string) => portion.flatMap((line) => line[table] ?? []);
    // Outside the transaction: a sign-up or an event that adds the same row may hold another one that the transaction needs.
    for (const name of ['private.templates', 'private.never_mailed']) await insert(sql, name, rowsOf(name));
    await sql.begin(async (transaction) => {
      await transaction`select private.wait_for_other_bulk_work()`;
      const unsure = {
        is_stopped: true,
        stopped_because: 'a restore cannot know what was sent after the backup',
      };
      const stop = (row: Row) => (row['is_stopped'] ? row : { ...row, ...unsure });
      await insert(transaction, 'private.announcements', rowsOf('private.announcements').map(stop));
      const ofThoseWhoLeft = rowsOf('private.outbox').filter(({ left_at }) => left_at);
      await insert(transaction, 'private.outbox', ofThoseWhoLeft);
      await insertEvents(transaction, rowsOf); // before the members: a message that came back keeps nobody away
      added += await mergeMembers(transaction, rowsOf);
      await insertEvents(transaction, rowsOf);
    });
    portion = [];
  };
  for await (const line of lines) {
    portion.push(JSON.parse(line) as Record<string, Row[]>);
    if (portion.length === PORTION) await merge();
  }
  await merge();
  await sql.unsafe(`analyze ${savedTables.join(', ')}`);
  // Members that an undone removal did not bring back.
  await sql`
    update private.outbox as entry set left_at = now() where left_at is null and member is not null
      and not exists (select from private.members as member where member.id = entry.member)`;
  return added;
}

/** Adds members with their messages, and returns how many were missing. */
async function mergeMembers(sql: TransactionSql, rowsOf: (table: string) => Row[]): Promise<number> {
  const saved = rowsOf('private.members');
  const listed = rowsOf('public.waitlist_emails');
  // Not those who left, even if their mailbox joined again and left as another member.
  const staying = `join jsonb_populate_recordset(null::private.members, $2::text::jsonb) as person using (email)
    where not exists (
      select from (select * from private.outbox where left_at is not null offset 0) as entry -- read once, not for each
      where entry.mailbox_hash = person.mailbox_hash and (entry.member = person.id
        or entry.left_at > saved.created_at and exists (select from private.had where had.id = entry.id)))`;
  // A member who is leaving at this moment still has a row, so this neither waits for them nor brings them back. Two statements
  // would bring back members who leave between them: still there for the first, and missing for the second.
  const isMissing = `${staying}
    and not exists (select from public.waitlist_emails as listed where listed.email = saved.email)`;
  const added = await insert(sql, 'public.waitlist_emails', listed, isMissing, saved);
  const isNew = `join public.waitlist_emails as listed using (email)
    where not exists (select from private.members as member where member.email = saved.email)`;
  await insert(sql, 'private.members', saved, isNew);
  // Locked, so that nobody leaves before the end of the portion. The messages in the backup become theirs.
  const present = await sql.unsafe<{ id: string; savedId: string }[]>(
    `select member.id, person.id as "savedId" from private.members as member
    join jsonb_populate_recordset(null::public.waitlist_emails, $1::text::jsonb) as saved using (email)
    ${staying} for key share of member skip locked`,
    [JSON.stringify(listed), JSON.stringify(saved)],
  );
  const owners = new Map<unknown, string>(present.map(({ id, savedId }) => [savedId, id]));
  const messages = rowsOf('private.outbox')
    .filter(({ member }) => owners.has(member))
    .map((row) => ({ ...row, member: owners.get(row['member']) }));
  await insert(sql, 'private.outbox', messages);
  return added;
}

async function insertEvents(sql: TransactionSql, rowsOf: (table: string) => Row[]): Promise<void> {
  const isKnown =
    'where exists (select from private.outbox as entry where entry.id = saved.delivery for key share skip locked)';
  await insert(sql, 'private.delivery_events', rowsOf('private.delivery_events'), isKnown);
  // Resend may have reported other events here before the message was restored.
  const ids = rowsOf('private.outbox').map(({ provider_id }) => provider_id as string | null);
  await sql`
    select private.match_events(message) from private.delivery_events where delivery is null and message = any (${ids})`;
}

/** Inserts the rows that a table lacks, and returns how many. Columns that the rows do not have get their defaults. */
async function insert(sql: ISql, table: string, rows: Row[], condition = '', ...more: Row[][]) {
  if (rows.length === 0) return 0;
  const columns = Object.keys(rows[0]!).map((name) => `"${name}"`);
  const { count } = await sql.unsafe(
    `insert into ${table} (${columns.join(', ')}) select ${columns.map((name) => `saved.${name}`).join(', ')}
    from jsonb_populate_recordset(null::${table}, $1::text::jsonb) as saved ${condition} on conflict do nothing`,
    [rows, ...more].map((each) => JSON.stringify(each)),
  );
  return count;
}
