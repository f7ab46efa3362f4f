import { expect, it } from 'vitest';
import { accept, leaseTurn, members, messageOf, range, sql, template, unsubscribe } from './sign-ups.ts';

const connections = 16;
const rounds = 80;

/** A member whom nobody removes, so that the list is never empty. */
const loyal = 'loyal@example.com';
const emails = range(20);
const pick = <T>(options: readonly T[]): T => options[Math.floor(Math.random() * options.length)]!;
/** Several addresses share a mailbox. */
const mailboxes = Array.from({ length: 8 }, (_, index) => `mailbox ${index}`);
let calls = 0;

const operations = {
  async accept(email = pick(emails)) {
    const caller = pick([`caller ${calls++}`, 'shared caller', null]);
    await accept(email, { caller, mailbox: email === loyal ? 'own' : pick(mailboxes) });
  },
  async insert() {
    await sql.begin(async (visitor) => {
      await visitor`set local role anon`;
      const { count } =
        await visitor`insert into waitlist_emails (email, source) values (${pick(emails)}, 'landing_page')`;
      expect(count).toBe(0);
    });
  },
  async unsubscribe() {
    const [entry] =
      await sql`select id from private.members where email <> ${loyal} order by random() limit 1`;
    await unsubscribe(entry?.['id']);
  },
  async remove() {
    await sql`select remove_members(array[${pick(emails)}])`;
  },
  async deliver() {
    const held = await leaseTurn();
    if (!held?.id) return;
    const outcome = pick(['failed', 'unanswered', 'paused', 'rejected', 'refused']);
    const message = messageOf(held);
    const kind = pick(['delivered', 'delivered', 'failed', 'bounced']);
    await Promise.all([
      Math.random() < 0.5
        ? sql`select record_sent(${held.id}, ${message})`
        : sql`select record_failure(${held.id}, ${held.lease}, ${outcome}, 'problem', 0)`,
      sql`select record_delivery_event(${`event of ${held.lease}`}, ${message}, ${kind}, false, null, null, null)`,
      sql`select record_delivery_event(${`copy of ${held.lease}`}, ${message}, ${kind}, false, null, null, null)`,
    ]);
  },
  async removeUndelivered() {
    await sql`
      select remove_members(array_agg(email), true) from private.undelivered where email <> ${loyal}`;
  },
  async retry() {
    await sql`select retry_outbox(array_agg(id)) from private.outbox where state = 'refused'`;
  },
  async resume() {
    await sql`select resume_deliveries()`;
  },
  async announce() {
    await sql`select queue_announcement(${pick(['launch', 'beta'])}, ${template}, ${pick([null, 5])}::int)`;
  },
  async stopOrResume() {
    await sql`select stop_announcement('launch', ${pick([true, false])})`;
  },
} as const;

it('the list and the outbox stay in sync while sign-ups, inserts, removals, deliveries, retries and announcements run at once', async () => {
  const failures: unknown[] = [];
  await Promise.all([loyal, ...emails].map((email) => operations.accept(email)));
  await sql`select queue_announcement('launch', ${template})`;
  // Expires leases now and then, so that two deliveries record the same welcome. Skips locked rows: a lease that expires by
  // itself locks nothing, but two of these updates could deadlock.
  const work = async () => {
    for (let round = 0; round < rounds; round++) {
      await pick(Object.values(operations))().catch((error: unknown) => failures.push(error));
      if (round % 10 === 0)
        await sql`
          update private.outbox set next_try_at = now() where id in (
            select id from private.outbox where lease is not null for update skip locked)`;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  expect(failures).toEqual([]);
  const list = await members();
  const welcomed = (
    await sql`
      select email from private.members where id in (select member from private.outbox where announcement is null and left_at is null)
      order by email`
  ).map(({ email }) => email);
  expect(welcomed).toEqual(list);
  expect(await sql`select from private.members`).toHaveLength(list.length);
  const twice = await sql`
    select from private.outbox where member is not null group by member, announcement having count(*) > 1`;
  expect(twice).toHaveLength(0);
  expect(list).toContain(loyal);
}, 120_000);
