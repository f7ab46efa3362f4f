import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { savedTables, writeBackup } from '../../ops/backup.ts';
import { owner } from './command-line.ts';
import { databaseUrl } from './database.ts';
import { holdOpen } from './hold-open.ts';
import {
  accept,
  addMembers,
  change,
  clear,
  lease,
  unsubscribe,
  members,
  queue,
  queued,
  report,
  sql,
  idOf,
} from './sign-ups.ts';

const file = join(owner.folder, 'all.jsonl');
let files = 0;

/** Every row of the saved tables, with all columns. */
const readTables = () =>
  Promise.all(
    savedTables.map((table) => sql.unsafe(`select to_jsonb(entry) from ${table} as entry order by 1`)),
  );
/** The tables that no backup needs, and why. */
const unsavedTables = {
  'private.calls': 'limits callers for an hour',
  'private.hours': 'counts what happened to the project itself in the last days',
  'private.limits': 'depends on the plan at the provider, not on the list',
  'private.pace': 'describes the deliveries of the moment',
  'private.former_members': 'answers a second click for ten minutes',
};
const backUp = (name = `${++files}.jsonl`) => owner.run(['backup', '--output', name]);
const restore = (name = `${files}.jsonl`) => owner.run(['restore', name]);
const pathOf = (name = `${files}.jsonl`) => join(owner.folder, name);
const readWelcome = async (email: string) =>
  (
    await sql`
      select entry.state, member.id, listed.created_at::text as joined
      from private.outbox as entry join private.members as member on member.id = entry.member
      join waitlist_emails as listed on listed.email = member.email
      where announcement is null and member.email = ${email}`
  )[0];

beforeEach(async () => {
  await addMembers(Array.from({ length: 60 }, (_, place) => `member${place}@example.com`));
  await queue();
  await sql`
    update private.outbox set state = 'sent', provider_id = 'provider ' || id, last_problem = E'Line\nline\x07 “Ä” \\ "'
    where announcement = 'launch' and id::text < '8'`;
  await report('bounced', 'member1@example.com', { problem: 'The mailbox is full' });
  await sql`insert into private.never_mailed select 'mailbox ' || number from generate_series(1, 90) as number`;
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
    expect(await backUp('all.jsonl')).toMatchObject({
      status: 0,
      stdout: 'Backup written to all.jsonl: 60 members.\n',
      stderr: '',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await clear();
    const said = 'Restored all.jsonl: 60 members added. Those on the list stayed as they were.\n';
    expect(await restore('all.jsonl')).toMatchObject({ status: 0, stdout: said, stderr: '' });
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

  it('leaves out the places of known addresses', async () => {
    const before = await readTables();
    await sql`insert into private.outbox default values`;
    await backUp();
    await clear();
    await restore();
    expect(await sql`select from private.outbox where member is null`).toHaveLength(0);
    expect((await readTables()).slice(1)).toEqual(before.slice(1));
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
  const back = 'member1@example.com';
  const add = async (state: 'waiting' | 'sent') => {
    await backUp();
    await clear();
    await addMembers(['new@example.org', back], { joined: '2026-11-25T00:00:00Z', state });
  };

  it('keeps who is there, and adds the others', async () => {
    await add('sent');
    const before = [await readWelcome('new@example.org'), await readWelcome(back)];
    expect(await owner.read('restore', `${files}.jsonl`)).toMatchObject({ added: 59 });
    expect([await readWelcome('new@example.org'), await readWelcome(back)]).toEqual(before);
    expect(await members()).toHaveLength(61);
    expect(await sql`select from private.outbox where announcement is null`).toHaveLength(61);
    // They got it before they were added here, so a later run does not send it to them again.
    expect(await queued()).toContain(back);
    await queue();
    expect(await queued()).toHaveLength(61);
  });

  it('sends no second welcome to a member who signed up again, and whose old links keep working', async () => {
    const before = await readWelcome(back);
    await add('waiting');
    await restore();
    expect(await readWelcome(back)).toEqual(before);
    expect(await readWelcome('new@example.org')).toMatchObject({ state: 'waiting' });
  });

  it('keeps the new welcome of a member whose old one was still waiting', async () => {
    await change(back, { state: 'waiting' });
    await add('waiting');
    await restore();
    expect(await readWelcome(back)).toMatchObject({ state: 'waiting' });
    expect(await queued()).toHaveLength(60);
  });

  it('lets others sign up, leave and receive messages meanwhile, and counts nobody twice', async () => {
    await backUp();
    await clear();
    const emails = Array.from({ length: 20 }, (_, place) => `member${place}@example.com`);
    const [{ status }] = await Promise.all([
      restore(),
      ...emails.map((email) => accept(email)),
      ...emails.map((email) => idOf(email).then(unsubscribe)),
      ...emails.map(lease),
    ]);
    expect(status).toBe(0);
    await restore();
    expect(await members()).toHaveLength(60);
    expect(
      await sql`select from private.outbox where member is not null and announcement is null`,
    ).toHaveLength(60);
  });
});

describe('a restore changes nothing', () => {
  const expectNothing = async (status: number, said: RegExp) => {
    const ended = await restore();
    expect(ended.stderr).toMatch(said);
    expect(ended.status).toBe(status);
    expect((await readTables()).flat()).toEqual([]);
  };

  it('when the file was written with another TOKEN_SECRET', async () => {
    await backUp();
    await clear();
    const { values } = owner.settings;
    owner.describeStack({ values: { ...values, TOKEN_SECRET: 'x'.repeat(32) } });
    await expectNothing(2, /another TOKEN_SECRET/);
  });

  it.each<[what: string, from: string, to: string, said: RegExp]>([
    ['lacks a column', '"source"', '"unknown_column": 1, "source"', /unknown_column/],
    ['refuses a value', 'landing_page', 'elsewhere', /waitlist_emails_source/],
  ])('when the database %s', async (_, from, to, said) => {
    await backUp();
    await clear();
    const rows = readFileSync(pathOf(), 'utf8').trimEnd().split('\n').slice(0, -1);
    const changed = rows.map((row) => row.replace(from, to));
    writeFileSync(pathOf(), writeBackup(changed, owner.settings.values.TOKEN_SECRET!));
    await expectNothing(1, said);
  });

  it('when there is no such file', async () => {
    const ended = await restore('nothing.jsonl');
    expect(ended).toMatchObject({ status: 2, stderr: 'There is no file nothing.jsonl.\n' });
  });
});
