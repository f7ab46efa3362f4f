import postgres from 'postgres';
import { afterAll, beforeEach } from 'vitest';
import { waitUntil } from '../../ops/stack/process.ts';
import { databaseUrl } from './database.ts';

/** The database of a test file that imports this one. Each of its tests starts with an empty list and the usual limits. */
export const sql = postgres(databaseUrl, { max: 20, onnotice: () => {} });
afterAll(() => sql.end());

const limits = await sql`select * from private.limits`;
beforeEach(clear);

export async function clear(): Promise<void> {
  // Truncating them would take thirty times as long.
  await sql`
    delete from waitlist_emails; delete from private.delivery_events; delete from private.outbox;
    delete from private.announcements; delete from private.templates; delete from private.never_mailed;
    delete from private.calls; delete from private.hours; delete from private.limits; delete from private.pace`.simple();
  await sql`insert into private.limits ${sql(limits)}`;
  await sql`insert into private.pace default values`;
}

export const template = JSON.stringify({ subject: 'We are live', html: '<p>Hello</p>', text: 'Hello' });
export const welcome = JSON.stringify({ subject: 'Welcome', html: '<p>Welcome</p>', text: 'Welcome' });
export const range = (count: number, name = 'name') =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.com`);
export const addressHashOf = (email: string) => `address ${email}`;
export const mailboxOf = (email: string) => `mailbox of ${email}`;
/** The provider's id of the message. */
export const messageOf = ({ id }: { id: string }) => `message ${id}`;

/** Accepts an address as the email function does. By default, each address has a caller of its own. */
export async function accept(
  email: string,
  { caller = `caller of ${email}` as string | null, mailbox = mailboxOf(email), message = welcome } = {},
  database: postgres.Sql | postgres.TransactionSql = sql,
) {
  const [answer] = await database`
    select accept_sign_up(${email}, ${message}, ${caller}, ${addressHashOf(email)}, ${mailbox}) as outcome`;
  return answer!['outcome'] as string;
}

/**
 * Adds members without the functions. The first one joined at a time (text, because the driver would round it to
 * milliseconds), the others follow, a second after each other.
 */
export async function addMembers(
  emails: string[],
  { joined = '2026-11-20T12:00:00Z', state = 'sent' } = {},
): Promise<void> {
  await sql`
    insert into waitlist_emails (email, created_at, source)
    select email, ${joined}::text::timestamptz + (place - 1) * interval '1.000001 seconds', 'landing_page'
    from unnest(${emails}::text[]) with ordinality as each (email, place)`;
  await sql`
    insert into private.members (email, address_hash, mailbox_hash)
    select email, 'address ' || email, 'mailbox of ' || email from unnest(${emails}::text[]) as email`;
  await sql`
    insert into private.outbox (member, template, mailbox_hash, state, accepted_at, sent_at, provider_id)
    select member.id, private.store_template(${template}), member.mailbox_hash, ${state}, listed.created_at,
      case when ${state} = 'sent' then listed.created_at + interval '1 second' end, 'message to ' || email
    from private.members as member join waitlist_emails as listed using (email) where member.email = any (${emails})`;
}

/** Changes the welcome to a member, or an announcement. */
export const change = (email: string, values: object, announcement: string | null = null) => sql`
  update private.outbox set ${sql(values)}
  where announcement is not distinct from ${announcement} and member = (select id from private.members where email = ${email})`;

export const neverMail = (...emails: string[]) =>
  sql`insert into private.never_mailed (hash) select unnest(${emails.map(mailboxOf)}::text[])`;

/** Signs up addresses, and sends their welcomes. */
export async function join(...emails: string[]) {
  for (const email of emails) await accept(email);
  await sql`
    update private.outbox set state = 'sent', sent_at = now(), provider_id = 'message ' || id
    where announcement is null and member in (select id from private.members where email = any (${emails}))`;
}

/** What the unsubscribe link of a member contains. */
export const idOf = async (email: string): Promise<string | undefined> =>
  (await sql`select id from private.members where email = ${email}`)[0]?.['id'];

/** Uses the unsubscribe link with this id. */
export async function unsubscribe(id: string | undefined): Promise<boolean> {
  const [answer] = await sql`select unsubscribe_member(${id ?? crypto.randomUUID()}) as has_left`;
  return answer!['has_left'];
}

/** Queues messages again as the owner does. Resolves to how many. */
export const retry = async (email: string | null = null, withUnknown = false): Promise<number> =>
  (
    await sql`
      select retry_outbox(array_agg(outbox.id)) as retried from private.outbox join private.members on members.id = member
      where state = any (${withUnknown ? ['refused', 'unknown'] : ['refused']}) and members.email = coalesce(${email}, members.email)`
  )[0]!['retried'];

/** The figures of the owner's summary. */
export const summarize = async () => (await sql`select summarize_waitlist() as summary`)[0]!['summary'];

export interface Leased {
  id: string;
  lease: string;
  email: string;
  wait: number;
}

export const lease = async (): Promise<Leased | null> =>
  (await sql`select lease_delivery() as leased`)[0]!['leased'];

/** Counts what decides about others, as a lease does every ten seconds. */
export async function takeStock() {
  await sql`update private.pace set counted_at = '-infinity'`;
  await sql`select private.take_stock(clock_timestamp())`;
}

/** Leases what is next without waiting for the pace of deliveries. It may be a turn in which nothing is sent. */
export async function leaseTurn(): Promise<Leased | null> {
  await sql`update private.pace set next_delivery_at = now(), counted_at = '-infinity'`;
  return lease();
}

/** Leases the next message that is sent. */
export async function leaseNow(): Promise<Leased | null> {
  for (;;) {
    const next = await leaseTurn();
    if (!next || next.id) return next;
    // Nothing is due: what waits is held up, or belongs to another delivery.
    if (next.wait > 1000) return null;
  }
}

export async function record(
  { id, lease: held }: Pick<Leased, 'id' | 'lease'>,
  outcome: string,
  { problem = null as string | null, pause = null as number | null } = {},
  database: postgres.Sql | postgres.TransactionSql = sql,
) {
  if (outcome === 'sent') await database`select record_sent(${id}, ${messageOf({ id })})`;
  else await database`select record_failure(${id}, ${held}, ${outcome}, ${problem}, ${pause})`;
}

/** Leases and sends everything that can be sent now. Resolves to what was sent: `launch to a@example.com`. */
export async function sendAll(): Promise<string[]> {
  const sent: string[] = [];
  for (let next = await leaseNow(); next; next = await leaseNow()) {
    const [row] =
      await sql`select coalesce(announcement, 'welcome') as name from private.outbox where id = ${next.id}`;
    sent.push(`${row!['name']} to ${next.email}`);
    await record(next, 'sent');
  }
  return sent;
}

/** Reports what happened to the latest message to an address, or to any other message. */
export async function report(
  kind: 'delivered' | 'bounced' | 'complained' | 'failed' | 'suppressed',
  email: string,
  {
    message,
    isFinal = kind !== 'delivered' && kind !== 'failed',
    id = `${kind} ${email}`,
    problem = null,
    at = null,
  }: { message?: string; isFinal?: boolean; id?: string; problem?: string | null; at?: string | null } = {},
) {
  const [sent] = await sql`
    select provider_id from private.outbox join private.members on members.id = member
    where members.email = ${email} order by sent_at desc nulls last limit 1`;
  await sql`
    select record_delivery_event(
      ${id}, ${message ?? sent?.['provider_id'] ?? `message to ${email}`}, ${kind}, ${isFinal}, ${problem},
      ${addressHashOf(email)}, ${mailboxOf(email)})`;
  if (at) await sql`update private.delivery_events set at = ${at}::text::timestamptz where id = ${id}`;
}

/** The welcome of an address. */
export const entry = async (email: string) =>
  (
    await sql`
      select outbox.*, members.id as member_id from private.outbox join private.members on members.id = member
      where members.email = ${email} and announcement is null`
  )[0];
export const members = async () =>
  (await sql`select email from waitlist_emails order by email`).map(({ email }) => email);
export const setLimit = (name: string, value: number) =>
  sql`update private.limits set value = ${value}, lowest = least(lowest, ${value}::int) where name = ${name}`;

/** Moves everything that the limits, the caps and the brake count into the past. */
export async function pass(interval: string) {
  await sql`update private.calls set at = at - ${interval}::interval`;
  // By way of another age, because one hour may take the place of another.
  await sql`update private.hours set hour = hour - interval '1000 years'`;
  await sql`update private.hours set hour = hour + interval '1000 years' - ${interval}::interval`;
  await sql`
    update private.outbox
    set next_try_at = next_try_at - ${interval}::interval, sent_at = sent_at - ${interval}::interval,
      left_at = left_at - ${interval}::interval`;
  await takeStock();
}

export const queue = (name = 'launch') => sql`select queue_announcement(${name}, ${template})`;
export const stop = async (isStopped = true, name = 'launch') =>
  (await sql`select stop_announcement(${name}, ${isStopped}) as found`)[0]!['found'];
/** Who has an announcement in the outbox. */
export const queued = async (name = 'launch') =>
  (
    await sql`
      select members.email from private.outbox left join private.members on members.id = member
      where announcement = ${name} and left_at is null order by members.email`
  ).map(({ email }) => email);

/** Runs a statement in a transaction that stays open until `commit` is called. Resolves once the statement has run. */
export async function holdOpen(work: (transaction: postgres.TransactionSql) => Promise<unknown>) {
  const ran = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const transaction = sql.begin(async (open) => {
    await work(open);
    ran.resolve();
    await mayCommit.promise;
  });
  await Promise.race([ran.promise, transaction]);
  return {
    async commit() {
      mayCommit.resolve();
      await transaction;
    },
  };
}

/** Resolves to whether somebody, or as many as given, begins to wait for a lock in this database within ten seconds. */
export const somebodyWaits = (count = 1) =>
  waitUntil(async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length >= count;
  }, 10_000);
