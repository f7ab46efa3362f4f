import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { savedTables, unsavedTables, writeBackup } from '../../owner/backup.ts';
import { CommandLine, startOwner } from './command-line.ts';
import { databaseUrl } from './database.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';

const { owner, sql } = startOwner();
const template = JSON.stringify({ subject: 'We are live', html: '<p>Hello</p>', text: 'Hello' });
const file = (name: string) => join(owner.folder, name);

const empty = () => sql.unsafe(`truncate ${savedTables.join(', ')}`);

/** Every row of the saved tables, with all columns. */
const readTables = () =>
  Promise.all(
    savedTables.map((table) => sql.unsafe(`select to_jsonb(entry) from ${table} as entry order by 1`)),
  );

beforeEach(async () => {
  await empty();
  await sql`
    insert into waitlist_emails (email, created_at, source, accepted)
    select 'member' || number || '@example.com', timestamptz '2026-01-01' + number * interval '1.000001 seconds', 'landing_page', true
    from generate_series(1, 700) as number`;
  await sql`insert into private.announcements (name, message) values ('launch', ${template})`;
  await sql`
    insert into private.outbox (email, announcement, email_hash, unsubscribe_token_hash, message, state, accepted_at, next_try_at, tries, provider_id, last_problem)
    select email, announcement, 'hash of ' || email, 'token of ' || email || announcement, '{"html": "<p>Höllö \\n\\t“” \\\\ </p>"}',
      (array['waiting', 'sent', 'refused', 'unknown'])[1 + length(email) % 4]::private.delivery_state,
      created_at, created_at + interval '1 minute', 3, 'id of ' || email || announcement, E'Line\nline\x07'
    from waitlist_emails, (values (null), ('launch')) as each (announcement)`;
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, at, problem)
    select 'event ' || provider_id, provider_id, id, 'bounced', accepted_at, 'The mailbox is full'
    from private.outbox where provider_id is not null`;
  await sql`insert into private.never_mailed select 'hash ' || number from generate_series(1, 1200) as number`;
});

const backUp = (name: string) => owner.run(['backup', '--output', name]);
const restore = (name: string) => owner.run(['restore', name]);

describe('a backup', () => {
  it('brings back every row, with columns that a later version adds', async () => {
    for (const table of savedTables)
      await sql.unsafe(
        `alter table ${table} add column campaign text; update ${table} set campaign = 'spring' where true`,
      );
    const before = await readTables();
    const written = await backUp('all.jsonl');
    expect(written).toMatchObject({ status: 0, stderr: '' });
    await empty();
    const restored = await restore('all.jsonl');
    expect(restored).toMatchObject({ status: 0, stderr: '' });
    expect(await readTables()).toEqual(before);
    console.info(written.stdout, restored.stdout);
    console.info((await restore('all.jsonl')).stdout);
    expect(await readTables()).toEqual(before);
    for (const table of savedTables) await sql.unsafe(`alter table ${table} drop column campaign`);
  });
});
