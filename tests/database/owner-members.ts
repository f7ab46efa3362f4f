import type postgres from 'postgres';

/** Members to add, and what has happened to the welcome of each. */
interface Members {
  emails: string[];
  /** When the first one joined, as text: the driver would round it to milliseconds. The others follow, a second after each other. */
  joined?: string;
  state?: 'waiting' | 'sent' | 'refused' | 'unknown';
  isNeverMailed?: boolean;
  /** Other columns of the welcome. */
  welcome?: Record<string, unknown>;
}

export const template = JSON.stringify({ subject: 'We are live', html: '<p>Hello</p>', text: 'Hello' });

/** Empties the list and everything that belongs to it. */
export async function clear(sql: postgres.Sql): Promise<void> {
  await sql`truncate waitlist_emails, private.templates, private.hours, private.calls, private.never_mailed cascade`;
  await sql`update private.pace set next_delivery_at = now()`;
}

/** Adds members without the functions. The hash of a mailbox is `mailbox of` and the address. */
export async function addMembers(
  sql: postgres.Sql,
  { emails, joined = '2026-11-20T12:00:00Z', state = 'sent', isNeverMailed = false, welcome = {} }: Members,
): Promise<void> {
  await sql`
    insert into waitlist_emails (email, created_at, source)
    select email, ${joined}::text::timestamptz + (place - 1) * interval '1.000001 seconds', 'landing_page'
    from unnest(${emails}::text[]) with ordinality as each (email, place)`;
  await sql`
    insert into private.members (id, email, token_hash, mailbox_hash)
    select gen_random_uuid(), email, 'token of ' || email, 'mailbox of ' || email from unnest(${emails}::text[]) as email`;
  await sql`
    insert into private.outbox (member, template, mailbox_hash, state, accepted_at, sent_at)
    select member.id, private.store_template(${template}), member.mailbox_hash, ${state}, listed.created_at,
      case when ${state} = 'sent' then listed.created_at + interval '1 second' end
    from private.members as member join waitlist_emails as listed using (email) where member.email = any (${emails})`;
  if (Object.keys(welcome).length > 0) await changeWelcomes(sql, emails, welcome);
  if (isNeverMailed)
    await sql`insert into private.never_mailed select mailbox_hash from private.members where email = any (${emails})`;
}

/** Changes the welcomes to some members. */
export const changeWelcomes = (sql: postgres.Sql, emails: string[], values: Record<string, unknown>) => sql`
  update private.outbox set ${sql(values)}
  where announcement is null and member in (select id from private.members where email = any (${emails}))`;

/** Stores what the provider reports about the messages to a member: the welcome, or an announcement. */
export const addEvent = (
  sql: postgres.Sql,
  email: string,
  kind: string,
  { announcement = null, at = '2026-11-20T12:00:09Z', problem = null, isFinal = false }: EventDetails = {},
) => sql`
  insert into private.delivery_events (id, message, delivery, kind, is_final, at, problem)
  select entry.id || ${kind}, entry.id, entry.id, ${kind}, ${isFinal}, ${at}::text::timestamptz, ${problem}::text
  from private.outbox as entry join private.members as member on member.id = entry.member
  where member.email = ${email} and announcement is not distinct from ${announcement}`;

interface EventDetails {
  announcement?: string | null;
  at?: string;
  problem?: string | null;
  isFinal?: boolean;
}

/** Queues an announcement for every member. */
export const announce = (sql: postgres.Sql, name: string) =>
  sql`select queue_announcement(${name}, ${template})`;

/** Who got a row of an announcement. */
export const queued = async (sql: postgres.Sql, name: string) =>
  (
    await sql`
      select member.email from private.outbox as entry join private.members as member on member.id = entry.member
      where announcement = ${name} order by member.email`
  ).map(({ email }) => email as string);

export const stateOf = async (sql: postgres.Sql, email: string) =>
  (
    await sql`
      select state from private.outbox as entry join private.members as member on member.id = entry.member
      where announcement is null and member.email = ${email}`
  )[0]?.['state'];
