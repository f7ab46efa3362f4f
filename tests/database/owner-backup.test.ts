import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { savedTables, unsavedTables, writeBackup } from '../../owner/backup.ts';
import { CommandLine, startOwner } from './command-line.ts';
import { databaseUrl } from './database.ts';
import { holdOpen } from './hold-open.ts';

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

const backUp = () => owner.run(['backup', '--output', `${++files}.jsonl`]);
const restore = () => owner.run(['restore', `${files}.jsonl`]);
const lines = () =>
  readFileSync(file(`${files}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
let files = 0;

describe('a backup', () => {
  it('brings back every row into an empty project, with columns that a later version adds', async () => {
    for (const table of savedTables)
      await sql.unsafe(
        `alter table ${table} add column campaign text; update ${table} set campaign = 'spring' where true`,
      );
    onTestFinished(async () => {
      for (const table of savedTables) await sql.unsafe(`alter table ${table} drop column campaign`);
    });
    const before = await readTables();
    const contents = '700 members, 1 announcement, 1,200 addresses that must never be mailed.';
    expect(await backUp()).toMatchObject({
      status: 0,
      stdout: `Backup written to 1.jsonl: ${contents}\n`,
      stderr: '',
    });
    expect(statSync(file('1.jsonl')).mode & 0o777).toBe(0o600);
    await empty();
    const added = `Added from 1.jsonl: ${contents} What was on the list stayed as it was.\n`;
    expect(await restore()).toMatchObject({ status: 0, stdout: added, stderr: '' });
    expect(await readTables()).toEqual(before);
    const again = { file: '1.jsonl', members: 0, announcements: 0, never_mailed: 0 };
    expect(await owner.read('restore', '1.jsonl')).toEqual(again);
    expect(await readTables()).toEqual(before);
  });

  it('contains every table, or says why not', async () => {
    const tables = await sql`
      select relnamespace::regnamespace || '.' || relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'private')`;
    const known = [...savedTables, ...Object.keys(unsavedTables)];
    expect(tables.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  });

  it('needs no superuser, and is not stopped by a time limit', async () => {
    const impatient = new CommandLine(`${databaseUrl}?statement_timeout=1s`);
    await impatient.start();
    onTestFinished(() => impatient.stop());
    const before = await readTables();
    const held = await holdOpen(sql, (open) => open.unsafe(`lock table ${savedTables.join(', ')}`));
    const writing = impatient.run(['backup', '--output', 'late.jsonl']);
    await sql`select pg_sleep(1.2)`;
    await held.commit();
    expect(await writing).toMatchObject({ status: 0 });
    await empty();
    expect((await impatient.run(['restore', 'late.jsonl'])).status).toBe(0);
    expect(await readTables()).toEqual(before);
  });

  it.each([
    ['SUPABASE_DB_PASSWORD', { databaseUrl: databaseUrl.replace(':postgres@', ':wrong-password@') }, 1],
    ['cannot be reached (ECONNREFUSED)', { databaseUrl: databaseUrl.replace(/:\d+\//, ':1/') }, 1],
  ])('says what to do without showing the password: %s', async (said, changes, status) => {
    owner.describeStack(changes);
    onTestFinished(() => owner.describeStack());
    const ended = await owner.run(['backup', '--output', 'none.jsonl']);
    expect(ended).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(said) });
    expect(ended.stderr).not.toContain('wrong-password');
    expect(existsSync(file('none.jsonl'))).toBe(false);
  });
});

describe('a restore', () => {
  it.each<[what: string, change: (lines: string[]) => string[]]>([
    ['is cut off', (all) => all.slice(0, 500)],
    ['lost its last line', (all) => all.slice(0, -1)],
    ['lost a line', (all) => all.toSpliced(2, 1)],
    ['has a line twice', (all) => all.toSpliced(2, 0, all[2]!)],
    ['has a changed letter', (all) => all.with(2, all[2]!.replace('member', 'mender'))],
    ['is an export', () => ['{"email":"a@example.com"}']],
    ['is empty', () => []],
  ])('refuses a file that %s, and changes nothing', async (_, change) => {
    await backUp();
    writeFileSync(
      file(`${files}.jsonl`),
      change(lines())
        .map((line) => `${line}\n`)
        .join(''),
    );
    await empty();
    const { status, stderr } = await restore();
    expect(stderr).toMatch(
      / is not a whole, unchanged backup, or it was written with another TOKEN_SECRET\./,
    );
    expect(status).toBe(2);
    expect((await readTables()).flat()).toEqual([]);
  });

  it('refuses a backup of another TOKEN_SECRET', async () => {
    await backUp();
    const { values } = owner.settings;
    owner.describeStack({ values: { ...values, TOKEN_SECRET: 'another secret of the owner' } });
    onTestFinished(() => owner.describeStack());
    expect(await restore()).toMatchObject({ status: 2, stderr: expect.stringContaining('TOKEN_SECRET') });
  });

  it.each([
    [
      'a column',
      (row: string) => row.replace('"source"', '"unknown_column": 1, "source"'),
      /no column unknown_column/,
    ],
    ['a value', (row: string) => row.replace('landing_page', 'elsewhere'), /source/],
  ])('restores nothing when the database does not take %s', async (_, change, said) => {
    await backUp();
    const rows = lines().slice(0, -1);
    const place = rows.findLastIndex((row) => row.includes('waitlist_emails'));
    const inPages = async function* () {
      yield rows.with(0, change(rows[0]!)).with(place, change(rows[place]!));
    };
    const sealed = writeBackup(inPages(), owner.settings.values.TOKEN_SECRET!, new Map());
    writeFileSync(file(`${files}.jsonl`), (await Array.fromAsync(sealed)).join(''));
    await empty();
    const { status, stderr } = await restore();
    expect(stderr).toMatch(said);
    expect(status).toBe(1);
    expect((await readTables()).flat()).toEqual([]);
  });

  it('reports a file that does not exist', async () => {
    const ended = await owner.run(['restore', 'nothing.jsonl']);
    expect(ended).toMatchObject({ status: 2, stderr: 'There is no file nothing.jsonl.\n' });
  });
});
