import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { savedTables, writeBackup } from '../../ops/backup.ts';
import { owner } from './command-line.ts';
import { databaseUrl } from './database.ts';
import {
  accept,
  addMembers,
  clear,
  holdOpen,
  idOf,
  lease,
  members,
  queue,
  queued,
  report,
  sql,
  unsubscribe,
} from './sign-ups.ts';

/** Every row of the saved tables, with all columns. */
const readTables = () =>
  Promise.all(
    savedTables.map((table) => sql.unsafe(`select to_jsonb(entry) from ${table} as entry order by 1`)),
  );
/** The tables that no backup needs, and why. */
const unsavedTables = {
  'private.calls': 'limits callers for an hour',
  'private.hours': 'counts what happened to the project itself',
  'private.limits': 'depends on the plan at the provider, not on the list',
  'private.pace': 'describes the deliveries of the moment',
};
const backUp = (name = 'all.jsonl') => owner.run(['backup', '--output', name]);
const restore = (name = 'all.jsonl') => owner.run(['restore', name]);
let files = 0;
/** Writes a backup with a new name, and resolves to that name. */
const save = async () => {
  const name = `${++files}.jsonl`;
  expect(await backUp(name)).toMatchObject({ status: 0 });
  return name;
};
const pathOf = (name: string) => join(owner.folder, name);

beforeEach(async () => {
  await addMembers(Array.from({ length: 60 }, (_, place) => `member${place}@example.com`));
  await queue();
  await sql`
    update private.outbox set state = 'sent', provider_id = 'provider ' || id, last_problem = E'Line\nline\x07 “Ä” \\ "'
    where announcement = 'launch' and id::text < '8'`;
  await report('bounced', 'member1@example.com', { problem: 'The mailbox is full' });
  await sql`insert into private.never_mailed select 'mailbox ' || number from generate_series(1, 90) as number`;
  await sql`insert into private.former_members (id, mailbox_hash, messages) select gen_random_uuid(), 'left', '{null,launch}'`;
});

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
    expect(await backUp()).toMatchObject({
      status: 0,
      stdout: 'Backup written to all.jsonl: 60 members.\n',
      stderr: '',
    });
    expect(statSync(pathOf('all.jsonl')).mode & 0o777).toBe(0o600);
    await clear();
    expect(await restore()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('60 members added'),
      stderr: '',
    });
    expect(await readTables()).toEqual(before);
    expect(await owner.read('restore', 'all.jsonl')).toEqual({ file: 'all.jsonl', added: 0 });
    expect(await readTables()).toEqual(before);
  });

  it('contains every table, or says why not', async () => {
    const tables = await sql`
      select relnamespace::regnamespace || '.' || relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'private')`;
    const known = [...savedTables, ...Object.keys(unsavedTables)];
    expect(tables.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  });

  it('is not stopped by a time limit of the database', async () => {
    owner.describeStack({ databaseUrl: `${databaseUrl}?statement_timeout=500ms` });
    const held = await holdOpen((open) => open`lock table private.outbox`);
    const writing = backUp('late.jsonl');
    await sql`select pg_sleep(0.6)`;
    await held.commit();
    expect(await writing).toMatchObject({ status: 0 });
  });

  it.each([
    ['SUPABASE_DB_PASSWORD', { databaseUrl: databaseUrl.replace(':postgres@', ':wrong-password@') }],
    ['ECONNREFUSED', { databaseUrl: databaseUrl.replace(/:\d+\//, ':1/') }],
  ])('says what to do without showing the password: %s', async (said, changes) => {
    owner.describeStack(changes);
    const ended = await backUp('none.jsonl');
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(said) });
    expect(ended.stderr).not.toContain('wrong-password');
    expect(existsSync(pathOf('none.jsonl'))).toBe(false);
  });
});

describe('a restore into a list with members', () => {
  it('keeps who is there, adds the others, and neither the places of known addresses', async () => {
    await sql`insert into private.outbox default values`;
    const name = await save();
    await clear();
    await addMembers(['new@example.org', 'member1@example.com'], { joined: '2026-11-25T00:00:00Z' });
    const readThere = () => sql`
      select member.*, welcome.* from private.members as member join private.outbox as welcome on welcome.member = member.id
      where announcement is null and member.email in ('new@example.org', 'member1@example.com') order by member.email`;
    const before = await readThere();
    expect(await owner.read('restore', name)).toMatchObject({ added: 59 });
    expect(await readThere()).toEqual(before);
    expect(await members()).toHaveLength(61);
    expect(await sql`select from private.outbox where announcement is null`).toHaveLength(61);
    // They got it before they were added here, so a later run does not send it to them again.
    expect(await queued()).toContain('member1@example.com');
    await queue();
    expect(await queued()).toHaveLength(61);
  });

  it('leaves out those who left since, whether or not they joined again', async () => {
    const name = await save();
    for (const left of ['member1@example.com', 'member2@example.com']) await unsubscribe(await idOf(left));
    await accept('member2@example.com');
    expect(await owner.read('restore', name)).toMatchObject({ added: 0 });
    expect(await members()).toHaveLength(59);
    expect(await members()).not.toContain('member1@example.com');
    expect(await queued()).not.toContain('member2@example.com');
  });

  it('waits for nobody who is leaving, and lets them leave', async () => {
    const name = await save();
    const gone = ['member1@example.com', 'member2@example.com', 'member3@example.com'];
    await sql`delete from waitlist_emails where email = ${gone[1]!}`;
    await sql`delete from private.former_members`;
    const leaving = await holdOpen(
      (open) => open`delete from waitlist_emails where email in ${open([gone[0]!, gone[2]!])}`,
    );
    expect(await owner.read('restore', name)).toMatchObject({ added: 1 });
    await leaving.commit();
    expect(await members()).toHaveLength(58);
  });

  it('lets others sign up, leave and receive messages meanwhile, and counts nobody twice', async () => {
    const name = await save();
    await clear();
    const emails = Array.from({ length: 20 }, (_, place) => `member${place}@example.com`);
    const [{ status }] = await Promise.all([
      restore(name),
      ...emails.map((email) => accept(email)),
      ...emails.map((email) => idOf(email).then(unsubscribe)),
      ...emails.map(lease),
    ]);
    expect(status).toBe(0);
    const welcomes = await sql`select from private.outbox where member is not null and announcement is null`;
    expect(welcomes).toHaveLength((await members()).length);
  });

  it('accepts a backup after a new secret was put in front of the old one', async () => {
    const name = await save();
    await clear();
    const { values } = owner.settings;
    owner.describeStack({
      values: { ...values, TOKEN_SECRET: `${'new'.repeat(11)},${values.TOKEN_SECRET}` },
    });
    expect(await owner.read('restore', name)).toMatchObject({ added: 60 });
    const later = await save();
    owner.describeStack();
    expect(await owner.read('restore', later)).toMatchObject({ added: 0 });
  });
});

describe('a restore changes nothing', () => {
  const expectNothing = async (name: string, status: number, said: RegExp) => {
    const ended = await restore(name);
    expect(ended.stderr).toMatch(said);
    expect(ended.status).toBe(status);
    expect((await readTables()).flat()).toEqual([]);
  };

  it('when the secret of the backup is not in TOKEN_SECRET', async () => {
    const name = await save();
    await clear();
    owner.describeStack({ values: { ...owner.settings.values, TOKEN_SECRET: 'x'.repeat(32) } });
    await expectNothing(name, 2, /TOKEN_SECRET does not contain/);
  });

  it('when the database lacks a column', async () => {
    const name = await save();
    await clear();
    const rows = readFileSync(pathOf(name), 'utf8').trimEnd().split('\n').slice(0, -1);
    const changed = rows.map((row) => row.replaceAll('"provider_id"', '"unknown_column": 1, "provider_id"'));
    writeFileSync(pathOf(name), writeBackup(changed, owner.settings.values.TOKEN_SECRET!));
    await expectNothing(name, 1, /unknown_column/);
  });

  it('when there is no such file', async () => {
    await clear();
    await expectNothing('nothing.jsonl', 2, /^There is no file nothing\.jsonl\.\n$/);
  });
});
