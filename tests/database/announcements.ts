import postgres from 'postgres';
import { databaseUrl } from './database.ts';

export const sql = postgres(databaseUrl, { max: 8, onnotice: () => {} });
export const template = JSON.stringify({ subject: 'We are live', html: '<p>Hello</p>', text: 'Hello' });

/** Empties every table that an announcement or its delivery uses. */
export async function clear(): Promise<void> {
  await sql`
    truncate waitlist_emails, private.outbox, private.announcements, private.delivery_events, private.never_mailed,
      private.calls, private.accepted_calls, private.mailbox_deliveries`;
  await sql`update private.pace set next_delivery_at = now(), blocked = '{}'`;
}

interface Leased {
  id: string;
  lease: string;
  message: string | null;
  email: string;
  member_id: string;
  template: string | null;
  template_hash: string | null;
  wait: number;
}

export async function join(...emails: string[]) {
  for (const email of emails)
    await sql`
      select accept_sign_up(${email}, ${`welcome for ${email}`}, gen_random_uuid(), ${`token of ${email}`}, ${email}, null, ${`hash of ${email}`}, ${email})`;
}

/** Adds members whose welcome was sent. */
export async function joinAndSend(...emails: string[]) {
  await join(...emails);
  await sql`update private.outbox set state = 'sent', message = null where email = any (${emails}) and announcement is null`;
}

export const preview = async (name = 'launch', message = template) =>
  (await sql`select * from preview_announcement(${name}, ${message})`)[0];
export const queue = async (name = 'launch', message = template) =>
  (await sql`select outcome, queued::int from queue_announcement(${name}, ${message})`)[0];
export const summarize = async (name = 'launch') =>
  (await sql`select * from summarize_announcement(${name})`)[0];
export const stop = async (isStopped = true, name = 'launch') =>
  (await sql`select stop_announcement(${name}, ${isStopped}) as found`)[0]!['found'];
export const queued = async (name = 'launch') =>
  (await sql`select email from private.messages where announcement = ${name} order by email`).map(
    ({ email }) => email,
  );

/** Leases the next message without waiting for the pace of deliveries. */
export async function lease(knownTemplate: string | null = null): Promise<Leased | undefined> {
  await sql`update private.pace set next_delivery_at = now()`;
  const [row] = await sql<Leased[]>`select * from lease_delivery(${knownTemplate})`;
  // It added rows to the outbox, which takes a separate call.
  return row?.wait === 1 ? lease(knownTemplate) : row;
}

/** Adds the next rows of an announcement to the outbox, as a lease would. */
export const addMessages = (name = 'launch') => sql`select private.add_messages(${name})`;

export const record = ({ id, lease: held }: Leased, outcome: string, problem: string | null = null) =>
  sql`select record_delivery(${id}, ${held}, ${outcome}, ${`message ${id}`}, ${problem}, 3600)`;

/** Leases and sends everything that can be sent now. Resolves to what was sent: `launch to a@example.com`. */
export async function sendAll(): Promise<string[]> {
  const sent: string[] = [];
  for (let next = await lease(); next?.id; next = await lease()) {
    const [row] =
      await sql`select coalesce(announcement, 'welcome') as name from private.outbox where id = ${next.id}`;
    sent.push(`${row!['name']} to ${next.email}`);
    await record(next, 'sent');
  }
  return sent;
}
