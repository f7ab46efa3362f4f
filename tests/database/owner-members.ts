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

/** Empties the list and everything that belongs to it. */
export async function clear(sql: postgres.Sql): Promise<void> {
  await sql`truncate waitlist_emails, private.outbox, private.announcements, private.delivery_events, private.never_mailed cascade`;
  await sql`update private.pace set next_delivery_at = now()`;
}

export async function addMembers(
  sql: postgres.Sql,
  { emails, joined = '2026-11-20T12:00:00Z', state = 'sent', isNeverMailed = false, welcome = {} }: Members,
): Promise<void> {
  await sql`
    insert into waitlist_emails (email, created_at, source, accepted)
    select email, ${joined}::text::timestamptz + (place - 1) * interval '1.000001 seconds', 'landing_page', true
    from unnest(${emails}::text[]) with ordinality as each (email, place)`;
  await sql`
    insert into private.outbox (email, email_hash, message, state, accepted_at, next_try_at, sent_at)
    select email, 'hash of ' || email, '{}', ${state}, ${joined}::text::timestamptz, now(),
      case when ${state} = 'sent' then ${joined}::text::timestamptz + interval '1 second' end
    from unnest(${emails}::text[]) as email`;
  if (Object.keys(welcome).length > 0)
    await sql`update private.outbox set ${sql(welcome)} where email = any (${emails})`;
  if (isNeverMailed)
    await sql`insert into private.never_mailed select 'hash of ' || email from unnest(${emails}::text[]) as email`;
}
