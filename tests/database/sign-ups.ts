import postgres from 'postgres';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { databaseUrl } from './database.ts';

/** The database of a test file that imports this one. Before each of its tests, the list and the outbox are empty. */
export const sql = postgres(databaseUrl, { max: 20, onnotice: () => {} });
afterAll(() => sql.end());

/** The limits before each test. */
export let usual: postgres.RowList<postgres.Row[]>;
beforeEach(async () => {
  await sql`delete from private.outbox`;
  await sql`delete from private.calls`;
  await sql`delete from private.accepted_calls`;
  await sql`delete from private.mailbox_deliveries`;
  await sql`delete from private.used_tokens`;
  await sql`delete from waitlist_emails`;
  await sql`update private.pace set next_delivery_at = now(), blocked = '{}'`;
  usual = await sql`select name, value, lowest, highest from private.limits`;
});
afterEach(async () => {
  for (const { name, value, lowest } of usual)
    await sql`update private.limits set value = ${value}, lowest = ${lowest} where name = ${name}`;
});

interface Caller {
  caller?: string | null;
  network?: string | null;
  mailbox?: string;
  message?: string | null;
}

/** Accepts an address as the email function does. The token of the member contains the address. */
export async function accept(
  email: string,
  {
    caller = 'caller',
    network = null,
    mailbox = `mailbox of ${email}`,
    message = `message for ${email}`,
  }: Caller = {},
) {
  const [answer] = await sql`
    select outcome, retry_after from accept_sign_up(
      ${email}, ${message}, ${crypto.randomUUID()}, ${`token of ${email}`}, ${caller}, ${network}, ${email}, ${mailbox})`;
  return answer as { outcome: 'accepted' | 'limited'; retry_after: number | null };
}

export async function leave(token: string): Promise<boolean> {
  return (await sql`select has_left from leave_waitlist(${token})`)[0]!['has_left'];
}

export async function lease() {
  const [row] = await sql`select * from lease_delivery()`;
  return row as { id: string; lease: string; message: string; wait: number | null } | undefined;
}

/** Leases the next welcome without waiting for the pace of deliveries. */
export async function leaseNow() {
  await sql`update private.pace set next_delivery_at = now()`;
  return (await lease())!;
}

export async function record(
  { id, lease: held }: { id: string; lease: string },
  outcome: string,
  { problem = null as string | null, retryAfter = null as number | null } = {},
) {
  await sql`select record_delivery(${id}, ${held}, ${outcome}, 'provider id', ${problem}, ${retryAfter})`;
}

export const entry = async (email: string) =>
  (await sql`select * from private.outbox where email = ${email}`)[0];
export const members = async () =>
  (await sql`select email from waitlist_emails order by email`).map(({ email }) => email);
export const setLimit = (name: string, value: number) =>
  sql`update private.limits set value = ${value}, lowest = least(lowest, ${value}::int) where name = ${name}`;

/** Moves everything that the limits count into the past. */
export async function pass(interval: string) {
  await sql`update private.calls set at = at - ${interval}::interval`;
  await sql`update private.accepted_calls set hour = hour - ${interval}::interval`;
  await sql`update private.mailbox_deliveries set at = at - ${interval}::interval`;
  await sql`update private.outbox set next_try_at = next_try_at - ${interval}::interval`;
}
