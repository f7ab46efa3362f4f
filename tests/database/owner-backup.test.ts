import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { CommandLine } from './command-line.ts';

const sql = postgres(inject('databaseUrl'), { max: 2, onnotice: () => {} });
const owner = new CommandLine(inject('databaseUrl'));
const file = () => join(owner.folder, 'all.jsonl');

const empty = () =>
  sql`truncate waitlist_emails, private.outbox, private.delivery_events, private.never_mailed`;

/** Every stored row of the tables that a backup holds. */
async function readTables(): Promise<object[][]> {
  return Promise.all([
    sql`select to_jsonb(entry) as row from waitlist_emails as entry order by email`,
    sql`select to_jsonb(entry) as row from private.outbox as entry order by email`,
    sql`select to_jsonb(entry) as row from private.delivery_events as entry order by id`,
    sql`select to_jsonb(entry) as row from private.never_mailed as entry order by email_hash`,
  ]);
}

beforeAll(() => owner.start());
beforeEach(async () => {
  await empty();
  await sql.begin(async (transaction) => {
    await transaction`
      insert into waitlist_emails (email, created_at, source, accepted)
      select 'member' || number || '@example.com', timestamptz '2026-01-01' + number * interval '1.000001 seconds', 'landing_page', true
      from generate_series(1, 700) as number`;
  });
  await sql`
    insert into private.outbox (email, email_hash, unsubscribe_token_hash, message, state, accepted_at, next_try_at, uncertain_since, tries, provider_id, last_problem)
    select email, 'hash of ' || email, 'token of ' || email, '{"html": "<p>Höllö \\n</p>"}',
      (array['waiting', 'sent', 'refused', 'unknown'])[1 + length(email) % 4]::private.delivery_state,
      created_at, created_at + interval '1 minute', created_at, 3, 'id of ' || email, 'TimeoutError'
    from waitlist_emails`;
  await sql`
    insert into private.delivery_events (id, message, delivery, kind, at, problem)
    select 'event ' || email || part, provider_id, id, 'bounced', accepted_at, 'The mailbox is full'
    from private.outbox, generate_series(1, 2) as part where email like '%7@%'`;
  await sql`insert into private.never_mailed select 'hash ' || number from generate_series(1, 1200) as number`;
});
afterAll(async () => {
  await empty();
  await owner.stop();
  await sql.end();
});

describe('a backup', () => {
  it('restored into an empty project gives back every row as it was', async () => {
    const before = await readTables();
    expect(await owner.run(['backup', '--output', 'all.jsonl'])).toEqual({
      status: 0,
      stdout: 'Backup written to all.jsonl: 700 members, 1,200 addresses never to be mailed.\n',
      stderr: '',
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    await empty();
    expect(await owner.run(['restore', 'all.jsonl'])).toEqual({
      status: 0,
      stdout: 'Restored and compared with all.jsonl: 700 members, 1,200 addresses never to be mailed.\n',
      stderr: '',
    });
    expect(await readTables()).toEqual(before);
    expect(await sql`select from private.restored`).toHaveLength(0);
  });

  it('leaves sign-ups working as before', async () => {
    await owner.run(['backup', '--output', 'joined.jsonl']);
    await empty();
    await owner.run(['restore', 'joined.jsonl']);
    await sql`insert into waitlist_emails (email, source) values ('MEMBER1@example.com', 'landing_page')`;
    expect(await sql`select from waitlist_emails where email = 'member1@example.com'`).toHaveLength(1);
  });

  it('of an empty list can be restored', async () => {
    await empty();
    expect((await owner.run(['backup', '--output', 'empty.jsonl'])).status).toBe(0);
    expect(await owner.read('restore', 'empty.jsonl')).toEqual({
      file: 'empty.jsonl',
      members: 0,
      never_mailed: 0,
    });
  });

  it('needs a name that git ignores', async () => {
    expect(await owner.run(['backup', '--output', 'all.txt'])).toMatchObject({
      status: 2,
      stderr: 'all.txt would hold JSON Lines. Name it .jsonl.\n',
    });
    expect(readdirSync(owner.folder)).not.toContain('all.txt');
  });
});

describe('a restore', () => {
  it('refuses a project that holds anybody', async () => {
    await owner.run(['backup', '--output', 'held.jsonl']);
    const before = await readTables();
    expect(await owner.run(['restore', 'held.jsonl'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Nothing was restored: this project already holds 700 members. Restore into an empty project.\n',
    });
    await sql`truncate waitlist_emails`;
    expect((await owner.run(['restore', 'held.jsonl'])).stderr).toContain(
      'already holds welcomes or addresses',
    );
    expect((await readTables()).slice(1)).toEqual(before.slice(1));
  });

  it.each<[what: string, change: (text: string) => string, says: RegExp]>([
    ['is cut off', (text) => text.split('\n').slice(0, 300).join('\n'), /not complete/],
    ['lost its last line', (text) => text.trimEnd().split('\n').slice(0, -1).join('\n'), /not complete/],
    ['lost a member', (text) => text.split('\n').toSpliced(5, 1).join('\n'), /not complete/],
    ['is an export', () => '{"email":"a@example.com"}\n', /is not a backup/],
    ['is empty', () => '', /is not a backup/],
    ['is damaged', (text) => text.replace('"member"', '"mem'), /is damaged/],
  ])('refuses a file that %s, and changes nothing', async (_, change, says) => {
    await owner.run(['backup', '--output', 'whole.jsonl']);
    writeFileSync(
      join(owner.folder, 'broken.jsonl'),
      change(readFileSync(join(owner.folder, 'whole.jsonl'), 'utf8')),
    );
    rmSync(join(owner.folder, 'whole.jsonl'));
    await empty();
    const { status, stderr } = await owner.run(['restore', 'broken.jsonl']);
    expect(stderr).toMatch(says);
    expect(status).toBe(2);
    expect((await readTables()).flat()).toEqual([]);
  });

  it('restores nothing when the database stores something else than the backup says', async () => {
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

  it('says that the file does not exist', async () => {
    expect(await owner.run(['restore', 'nothing.jsonl'])).toMatchObject({
      status: 2,
      stderr: 'nothing.jsonl does not exist.\n',
    });
  });
});
