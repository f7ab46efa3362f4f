import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { readEntries } from '../../owner/commands/backup.ts';
import { Waitlist } from '../../owner/waitlist-client.ts';
import { CommandLine, startOwner } from './command-line.ts';
import { databaseUrl } from './database.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';

const { owner, sql } = startOwner();
const template = JSON.stringify({ subject: 'We are live', html: '<p>Hello</p>', text: 'Hello' });
const file = () => join(owner.folder, 'all.jsonl');

const empty = () =>
  sql`truncate waitlist_emails, private.outbox, private.announcements, private.delivery_events, private.never_mailed, private.restored`;

/** Adds members whose welcome is stored. */
async function addMembers(from: number, to: number): Promise<void> {
  await sql`
    insert into waitlist_emails (email, created_at, source, accepted)
    select 'member' || number || '@example.com', timestamptz '2026-01-01' + number * interval '1.000001 seconds', 'landing_page', true
    from generate_series(${from}::int, ${to}::int) as number`;
  await sql`
    insert into private.outbox (email, email_hash, unsubscribe_token_hash, message, state, accepted_at, next_try_at, uncertain_since, tries, provider_id, last_problem)
    select email, 'hash of ' || email, 'token of ' || email, '{"html": "<p>Höllö \\n</p>"}',
      (array['waiting', 'sent', 'refused', 'unknown'])[1 + length(email) % 4]::private.delivery_state,
      created_at, created_at + interval '1 minute', created_at, 3, 'id of ' || email, 'TimeoutError'
    from waitlist_emails where substring(email from 'member(\\d+)@')::int between ${from} and ${to}`;
}

async function signUp(email: string): Promise<void> {
  await sql`select accept_sign_up(${email}, '{}', gen_random_uuid(), ${`new token of ${email}`}, ${email}, null, ${email}, ${email})`;
}

/** Every row of the tables that a backup contains. */
async function readTables(): Promise<object[][]> {
  return Promise.all([
    sql`select to_jsonb(entry) as row from waitlist_emails as entry order by email`,
    sql`select to_jsonb(entry) - 'reached' as row from private.announcements as entry where not is_test order by name`,
    sql`select to_jsonb(entry) as row from private.messages as entry order by email, announcement`,
    sql`select to_jsonb(entry) as row from private.delivery_events as entry order by id`,
    sql`select to_jsonb(entry) as row from private.never_mailed as entry order by email_hash`,
  ]);
}

beforeEach(async () => {
  await empty();
  await addMembers(1, 700);
  await sql`select queue_announcement('launch', ${template})`;
  await sql`select private.add_messages('launch')`;
  await sql`
    update private.outbox set state = 'sent', provider_id = 'launch to ' || email
    where announcement = 'launch' and email like '%7@%'`;
  // As if the other messages were still to be added to the outbox.
  await sql`delete from private.outbox where announcement = 'launch' and email > 'member5'`;
  await sql`update private.announcements set reached = 'member5'`;
  // The remains of an interrupted test do not belong in a backup.
  await sql`select queue_test(${template}, 'member1@example.com')`;
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, at, problem)
    select 'event ' || provider_id || part, provider_id, id, 'bounced', accepted_at, 'The mailbox is full'
    from private.outbox, generate_series(1, 2) as part where email like '%7@%' and provider_id is not null`;
  await sql`insert into private.never_mailed select 'hash ' || number from generate_series(1, 1200) as number`;
});

const open = () => new Waitlist(owner.project);
const complete = (restore: string, size = 1901) => open().call('restore_backup', { restore, size });
const upload = (page: object[], restore: string) =>
  open().call('upload_backup', { restore, entries: JSON.stringify(page) });

describe('a backup', () => {
  it('brings back every row as it was when it is restored into an empty project', async () => {
    const before = await readTables();
    expect(await owner.run(['backup', '--output', 'all.jsonl'])).toEqual({
      status: 0,
      stdout:
        'Backup written to all.jsonl: 700 members, 1 announcement, 1,200 addresses that must never be mailed.\n',
      stderr: '',
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    await empty();
    expect(await owner.run(['restore', 'all.jsonl'])).toEqual({
      status: 0,
      stdout:
        'Restored, and compared with all.jsonl: 700 members, 1 announcement, 1,200 addresses that must never be mailed.\n',
      stderr: '',
    });
    expect(await readTables()).toEqual(before);
    expect(await sql`select from private.restored`).toHaveLength(0);
  });

  it('is restored in several calls of at most a second each', { timeout: 90_000 }, async () => {
    await addMembers(701, 12_000);
    await sql`
      insert into private.announcements (name, message)
      select 'news-' || number, ${template} from generate_series(30, 10, -1) as number`;
    const before = await readTables();
    await owner.run(['backup', '--output', 'crowd.jsonl']);
    await empty();
    const impatient = new CommandLine(`${databaseUrl}?statement_timeout=1s`);
    await impatient.start();
    const { stderr } = await impatient.run(['restore', join(owner.folder, 'crowd.jsonl')]);
    await impatient.stop();
    expect(stderr).toBe('');
    expect(await readTables()).toEqual(before);
  });

  it('can be restored without affecting later sign-ups', async () => {
    await owner.run(['backup', '--output', 'joined.jsonl']);
    await empty();
    await owner.run(['restore', 'joined.jsonl']);
    await sql`insert into waitlist_emails (email, source) values ('MEMBER1@example.com', 'landing_page')`;
    expect(await sql`select from waitlist_emails where email = 'member1@example.com'`).toHaveLength(1);
  });

  it('contains an announcement that is queued while it runs only for the members that it reads after that', async () => {
    const pages: object[][] = [];
    for await (const page of readEntries(open())) {
      if (pages.length === 0) await sql`select queue_announcement('news', ${template})`;
      pages.push(page);
    }
    await empty();
    const id = randomUUID();
    for (const page of pages) await upload(page, id);
    expect(await complete(id, 1902)).toBe('complete');
    for (const _ of pages) await open().call('restore_part');
    expect(await sql`select from waitlist_emails`).toHaveLength(700);
    expect(await sql`select from private.messages where announcement = 'news'`).toHaveLength(450);
  });

  it('can be restored if the list was empty', async () => {
    await empty();
    const said = { file: 'empty.jsonl', members: 0, announcements: 0, never_mailed: 0 };
    expect(await owner.read('backup', '--output', 'empty.jsonl')).toEqual(said);
    expect(await owner.read('restore', 'empty.jsonl')).toEqual(said);
  });

  it('needs a name that git ignores', async () => {
    expect(await owner.run(['backup', '--output', 'all.txt'])).toMatchObject({
      status: 2,
      stderr: 'The name of the new file must end in .jsonl.\n',
    });
    expect(readdirSync(owner.folder)).not.toContain('all.txt');
  });
});

describe('a restore', () => {
  it('refuses a project that has members', async () => {
    await owner.run(['backup', '--output', 'held.jsonl']);
    const before = await readTables();
    expect(await owner.run(['restore', 'held.jsonl'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Nothing was restored: this project already has 700 members. Restore into an empty project. After an interrupted restore, wait a minute and run "count": the database may still be finishing it.\n',
    });
    expect(await readTables()).toEqual(before);
  });

  it.each<[what: string, change: (text: string) => string]>([
    ['is cut off', (text) => text.split('\n').slice(0, 3).join('\n')],
    ['lost its last line', (text) => text.trimEnd().split('\n').slice(0, -1).join('\n')],
    ['lost a line', (text) => text.split('\n').toSpliced(2, 1).join('\n')],
    ['is an export', () => '{"email":"a@example.com"}\n'],
    ['is other JSON', () => '[1]\n'],
    ['is empty', () => ''],
    ['is damaged', (text) => text.replace('"member"', '"mem')],
  ])('refuses a file that %s, and changes nothing', async (_, change) => {
    await owner.run(['backup', '--output', 'whole.jsonl']);
    writeFileSync(
      join(owner.folder, 'broken.jsonl'),
      change(readFileSync(join(owner.folder, 'whole.jsonl'), 'utf8')),
    );
    rmSync(join(owner.folder, 'whole.jsonl'));
    await empty();
    const { status, stderr } = await owner.run(['restore', 'broken.jsonl']);
    expect(stderr).toBe('broken.jsonl is not a complete backup. Give another file that "backup" wrote.\n');
    expect(status).toBe(2);
    expect((await readTables()).flat()).toEqual([]);
  });

  it('restores nothing when the database would store something different from the backup', async () => {
    await owner.run(['backup', '--output', 'other.jsonl']);
    const text = readFileSync(join(owner.folder, 'other.jsonl'), 'utf8');
    writeFileSync(join(owner.folder, 'other.jsonl'), text.replace('"source"', '"unknown_column":1,"source"'));
    await empty();
    const { status, stderr } = await owner.run(['restore', 'other.jsonl']);
    expect(stderr).toContain('another version of the database');
    expect(status).toBe(1);
    expect((await readTables()).flat()).toEqual([]);
    expect(await sql`select from private.restored`).toHaveLength(0);
  });

  it('reports that part of the upload is missing, and restores nothing', async () => {
    await owner.run(['backup', '--output', 'lost.jsonl']);
    await empty();
    // As if another restore had deleted what this one uploads.
    await sql.unsafe(`
      create function private.lose() returns trigger language plpgsql as 'begin return null; end';
      create trigger lose before insert on private.restored for each row execute function private.lose()`);
    const { status, stdout, stderr } = await owner.run(['restore', 'lost.jsonl']);
    await sql`drop function private.lose() cascade`;
    expect(stderr).toMatch(/^Nothing was restored: part of the upload is missing\. Run it again/);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  it('happens only once when two run at the same time', async () => {
    await owner.run(['backup', '--output', 'two.jsonl']);
    const before = await readTables();
    await empty();
    const ends = await Promise.all([1, 2].map(() => owner.run(['restore', 'two.jsonl'])));
    expect(ends.map(({ status }) => status).toSorted()).toEqual([0, 1]);
    expect(ends.map(({ stderr }) => stderr).join('')).toMatch(/^Nothing was restored: /);
    expect(await readTables()).toEqual(before);
  });

  it('makes a simultaneous sign-up wait, and keeps it', async () => {
    const pages = await Array.fromAsync(readEntries(open()));
    await empty();
    const id = randomUUID();
    for (const page of pages) await upload(page, id);
    await complete(id);
    const joining = await holdOpen(
      sql,
      (transaction) => transaction`
        select accept_sign_up('member7@example.com', '{}', gen_random_uuid(), 'new token', 'a', null, 'b', 'c')`,
    );
    const other = postgres(databaseUrl, { max: 1 });
    const restoring = Array.fromAsync(pages, () => other`select restore_part()`);
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await joining.commit();
    await restoring;
    await other.end();
    expect(await sql`select from waitlist_emails`).toHaveLength(700);
    expect(
      await sql`select unsubscribe_token_hash from private.outbox where email = 'member7@example.com' and announcement is null`,
    ).toEqual([{ unsubscribe_token_hash: 'new token' }]);
  });

  describe('an interrupted restore', () => {
    const id = randomUUID();

    it('leaves an empty project if the upload was incomplete, and can be repeated without losing anybody', async () => {
      await owner.run(['backup', '--output', 'repeated.jsonl']);
      const [members] = await readTables();
      const pages = await Array.fromAsync(readEntries(open()));
      await empty();
      for (const page of pages.slice(0, 2)) await upload(page, id);
      expect(await complete(id)).toBe('incomplete');
      expect((await readTables()).flat()).toEqual([]);
      await signUp('new@example.org');
      await signUp('member7@example.com');
      expect((await owner.run(['restore', 'repeated.jsonl'])).stderr).toBe('');
      const [after] = await readTables();
      const others = (rows: object[]) => rows.filter((row) => !/new@|member7@/.test(JSON.stringify(row)));
      expect(others(after!)).toEqual(others(members!));
      expect(after).toHaveLength(701);
      const tokens = await sql`
        select unsubscribe_token_hash as token from private.outbox where email in ('new@example.org', 'member7@example.com') order by 1`;
      expect(tokens.map(({ token }) => token)).toEqual([
        'new token of member7@example.com',
        'new token of new@example.org',
      ]);
      expect(await sql`select from private.restored`).toHaveLength(0);
    });

    it('deletes an incomplete upload after a day', async () => {
      await empty();
      await upload([{ never_mailed: 'hash' }], id);
      for (const [age, left] of [
        ['23 hours', 1],
        ['25 hours', 0],
      ] as const) {
        await sql`update private.restored set uploaded_at = now() - ${age}::interval`;
        await sql`select lease_delivery()`;
        expect(await sql`select from private.restored`).toHaveLength(left);
      }
    });

    it('is finished by the next delivery, before anything is sent, if the upload was complete', async () => {
      const before = await readTables();
      const pages = await Array.fromAsync(readEntries(open()));
      await empty();
      for (const page of pages) await upload(page, id);
      expect(await complete(id)).toBe('complete');
      expect(await complete(randomUUID())).toBe('not empty');
      // Even after a long time without deliveries.
      await sql`update private.restored set uploaded_at = now() - interval '2 days'`;
      // Part of another backup stays where it is.
      await upload([{ never_mailed: 'hash of another backup' }], randomUUID());
      // An address complains once more in the meantime.
      await sql`insert into private.never_mailed values ('hash 1')`;
      for (const _ of pages)
        expect(await sql`select * from lease_delivery()`).toMatchObject([{ id: null, wait: 1 }]);
      expect(await open().call('restore_part')).toBe(0);
      expect(await readTables()).toEqual(before);
    });
  });

  it.each(['nothing.jsonl', '.'])('reports a file that does not exist: %s', async (name) => {
    expect(await owner.run(['restore', name])).toMatchObject({
      status: 2,
      stderr: `There is no file ${name}.\n`,
    });
  });
});
