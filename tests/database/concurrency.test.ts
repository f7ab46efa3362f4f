import postgres from 'postgres';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { databaseUrl } from './database.ts';

const connections = 16;
const rounds = 40;
const sql = postgres(databaseUrl, { max: connections, onnotice: () => {} });
afterAll(() => sql.end());

beforeEach(async () => {
  for (const table of [
    'outbox',
    'calls',
    'accepted_calls',
    'mailbox_deliveries',
    'used_tokens',
    'delivery_events',
    'announcements',
  ])
    await sql`delete from private.${sql(table)}`;
  await sql`delete from waitlist_emails`;
  await sql`update private.pace set next_delivery_at = now(), blocked = '{}'`;
});

/** A member whom nobody removes, so that the list is never empty. */
const loyal = 'loyal@example.com';
const emails = Array.from({ length: 20 }, (_, index) => `name${index}@example.com`);
const pick = <T>(options: readonly T[]): T => options[Math.floor(Math.random() * options.length)]!;
let calls = 0;

const operations = {
  async accept(email = pick(emails)) {
    await sql`
      select accept_sign_up(${email}, '{}', gen_random_uuid(), ${`token ${calls++}`}, ${`caller ${calls}`}, ${pick(['network', null])}, ${email}, ${email})`;
  },
  async insert() {
    await sql.begin(async (visitor) => {
      await visitor`set local role anon`;
      const { count } =
        await visitor`insert into waitlist_emails (email, source) values (${pick(emails)}, 'landing_page')`;
      expect(count).toBe(1);
    });
  },
  async leave() {
    const [entry] =
      await sql`select unsubscribe_token_hash as token from private.outbox where email <> ${loyal} order by random() limit 1`;
    await sql`select leave_waitlist(${entry?.['token'] ?? 'nobody'})`;
  },
  async remove() {
    await sql`select remove_member(${pick(emails)})`;
  },
  async deliver() {
    await sql`update private.pace set next_delivery_at = now()`;
    const [held] = await sql`select * from lease_delivery()`;
    if (!held?.['id']) return;
    const outcome = pick(['sent', 'sent', 'sent', 'failed', 'postponed', 'blocked', 'refused']);
    const message = `message of ${held['id']}`;
    await Promise.all([
      sql`select record_delivery(${held['id']}, ${held['lease']}, ${outcome}, ${message}, 'problem', 0)`,
      sql`select record_delivery_event(${`event of ${held['lease']}`}, ${message}, 'delivered', null, null, null)`,
    ]);
  },
  async retry() {
    await sql`select retry_outbox()`;
  },
  async announce() {
    await sql`select queue_announcement(${pick(['launch', 'beta'])}, '{"subject":"","html":"","text":""}')`;
  },
  async stopOrResume() {
    await sql`select stop_announcement('launch', ${pick([true, false])})`;
  },
} as const;

it('the list and the outbox stay in sync while sign-ups, inserts, removals, deliveries, retries and announcements run at once', async () => {
  const failures: unknown[] = [];
  await Promise.all([loyal, ...emails].map((email) => operations.accept(email)));
  await sql`select queue_announcement('launch', '{"subject":"","html":"","text":""}')`;
  await operations.deliver();
  expect(await sql`select from private.outbox where announcement = 'launch'`).not.toHaveLength(0);
  // Expires leases now and then, so that two deliveries record the same welcome. Skips locked rows: a lease that expires by
  // itself locks nothing, but two of these updates could deadlock.
  const work = async () => {
    for (let round = 0; round < rounds; round++) {
      await pick(Object.values(operations))().catch((error: unknown) => failures.push(error));
      if (round % 10 === 0)
        await sql`
          update private.outbox set leased_until = now() where id in (
            select id from private.outbox where leased_until is not null for update skip locked)`;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  expect(failures).toEqual([]);
  const list = (await sql`select email from waitlist_emails order by email`).map(({ email }) => email);
  const outbox = (await sql`select email from private.outbox where announcement is null order by email`).map(
    ({ email }) => email,
  );
  expect(list).toEqual(outbox);
  expect(new Set(list).size).toBe(list.length);
  // Nobody who left has an announcement, and nobody who came back has one from before.
  const strangers = await sql`
    select from private.outbox as entry where not exists (
      select from private.outbox as welcome
      where welcome.email = entry.email and welcome.member_id = entry.member_id and welcome.announcement is null)`;
  expect(strangers).toHaveLength(0);
  expect(await sql`select from waitlist_emails where not accepted`).toEqual([]);
  expect(list).toContain(loyal);
}, 120_000);
