import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { savedTables } from '../../ops/backup.ts';
import { recordDeployment } from '../../ops/database.ts';
import { owner } from './command-line.ts';
import { databaseUrl } from './database.ts';
import {
  accept,
  addMembers,
  change,
  clear,
  holdOpen,
  idOf,
  lease,
  members,
  queue,
  queued,
  range,
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
  'private.deployment': 'describes what is deployed to the project itself',
  'private.hours': 'counts what happened to the project itself',
  'private.limits': 'depends on the plan at the provider, not on the list',
  'private.pace': 'describes the deliveries of the moment',
};
const restore = (name: string) => owner.run(['restore', name]);
let files = 0;
const backUp = () => owner.run(['backup', '--output', `${++files}.jsonl`]);
/** Writes a backup, and resolves to its name. */
const save = async () => {
  const { stdout, stderr } = await backUp();
  expect(stdout + stderr).toBe(`Backup written to ${files}.jsonl: 60 members.\n`);
  return `${files}.jsonl`;
};

beforeEach(async () => {
  await addMembers(range(60, 'member'));
  await queue();
  await sql`
    update private.outbox set state = 'sent', provider_id = 'provider ' || id, last_problem = E'Line\nline\x07 “Ä” \\ "'
    where announcement = 'launch' and id::text < '8'`;
  await report('bounced', 'member1@example.com', { problem: 'The mailbox is full' });
  await sql`insert into private.never_mailed select 'mailbox ' || number from generate_series(1, 90) as number`;
  // Two others with these mailboxes left: one after a bounce, one before the member joined. Neither keeps a member away.
  await sql`
    insert into private.outbox (member, mailbox_hash, state, sent_at, left_at, provider_id)
    values (gen_random_uuid(), 'mailbox of member5@example.com', 'sent', now(), now(), 'lost'),
      (gen_random_uuid(), 'mailbox of member6@example.com', 'sent', '2026-11-19', '2026-11-19', null)`;
  await report('bounced', 'member5+lost@example.com', { message: 'lost' });
});

describe('a backup', () => {
  it('brings back every row into an empty project, with columns that a later version adds', async () => {
    for (const table of savedTables)
      await sql.unsafe(`alter table ${table} add column campaign text default 'spring'`);
    onTestFinished(async () => {
      for (const table of savedTables) await sql.unsafe(`alter table ${table} drop column campaign`);
    });
    const before = await readTables();
    const file = await save();
    expect(statSync(join(owner.folder, file)).mode & 0o777).toBe(0o600);
    expect((await owner.run(['backup', '--output', file])).stderr).toBe(`${file}: file already exists.\n`);
    await clear();
    const stdout = expect.stringContaining('60 members added');
    expect(await restore(file)).toMatchObject({ status: 0, stdout, stderr: '' });
    const { count } = await sql`
      update private.announcements set is_stopped = false, stopped_because = null where is_stopped and stopped_because is not null`;
    expect(count, 'stopped announcements').toBe(1);
    expect(await readTables()).toEqual(before);
    expect(await owner.read('restore', file)).toEqual({ file, added: 0 });
    expect(await readTables()).toEqual(before);
  });

  it('contains every table, or says why not', async () => {
    const tables = await sql`
      select relnamespace::regnamespace || '.' || relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'private')`;
    const known = [...savedTables, ...Object.keys(unsavedTables)];
    expect(tables.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  });

  it.each([
    ['SUPABASE_DB_PASSWORD', { SUPABASE_DB_PASSWORD: 'wrong-password' }],
    ['ECONNREFUSED', { SUPABASE_DB_URL: databaseUrl.replace(/:\d+\//, ':1/') }],
    ['does not exist', { SUPABASE_DB_URL: `${new URL('/template1', databaseUrl).href}?sslmode=disable` }],
  ])('ends with the reason and without a file, and shows no password: %s', async (said, changes) => {
    owner.describeStack({ values: { ...owner.settings.values, ...changes } });
    const ended = await backUp();
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(said) });
    expect(ended.stderr).not.toContain('wrong-password');
    expect(existsSync(join(owner.folder, `${files}.jsonl`))).toBe(false);
  });
});

describe('a restore into a list with members', () => {
  it('keeps existing members, adds missing ones, and skips the places of known addresses', async () => {
    await sql`insert into private.outbox default values`;
    const name = await save();
    await clear();
    await addMembers(['new@example.org', 'member1@example.com'], { joined: '2026-11-25T00:00:00Z' });
    const readThere = () => sql`
      select member.*, welcome.* from private.members as member join private.outbox as welcome on welcome.member = member.id
      where announcement is null and member.email in ('new@example.org', 'member1@example.com') order by member.email`;
    const before = await readThere();
    await report('failed', 'member2@example.com'); // while its message is not here yet
    expect(await owner.read('restore', name)).toMatchObject({ added: 59 });
    expect(await sql`select from private.delivery_events where delivery is null`).toEqual([]);
    expect(await readThere()).toEqual(before);
    expect(await members()).toHaveLength(61);
    const welcomes = await sql`select from private.outbox where announcement is null and left_at is null`;
    expect(welcomes).toHaveLength(61);
    // They got it before they were added here, so a later run does not send it to them again.
    expect(await queued()).toContain('member1@example.com');
    await queue();
    expect(await queued()).toHaveLength(61);
  });

  it('leaves out those who left since, whether or not they joined again', async () => {
    const name = await save();
    for (const left of ['member3@example.com', 'member2@example.com']) await unsubscribe(await idOf(left));
    await accept('member2@example.com');
    // As if it had left as another member of its mailbox, who joined later.
    await sql`update private.outbox set member = gen_random_uuid() where mailbox_hash = 'mailbox of member3@example.com'`;
    expect(await owner.read('restore', name)).toMatchObject({ added: 0 });
    expect(await members()).toHaveLength(59);
    expect(await members()).not.toContain('member3@example.com');
    expect(await queued()).not.toContain('member2@example.com');
  });

  it('brings back who was removed by mistake, as the docs say, and sends them no announcement again', async () => {
    const email = 'member2@example.com';
    await change(email, { state: 'waiting' }, 'launch');
    const name = await save();
    await change(email, { state: 'sent', sent_at: new Date() }, 'launch');
    await owner.read('remove', email, '--yes');
    const [undo = ''] = /update private\.outbox [^`]+/.exec(readFileSync('docs/operations.md', 'utf8'))!;
    await sql.unsafe(undo.replace(/'.+' and '.+'/, "now() - interval '1 minute' and now()"));
    expect(await owner.read('restore', name)).toMatchObject({ added: 1 });
    const found = await sql`
      select email, state from private.outbox left join private.members on members.id = member
      where left_at is null and (members.id is null or email = ${email} and announcement = 'launch')`;
    expect(found).toEqual([{ email, state: 'sent' }]);
  });

  it('waits for nobody who is leaving, and lets them leave', async () => {
    const name = await save();
    const gone = ['member1@example.com', 'member2@example.com', 'member3@example.com'];
    await sql`delete from waitlist_emails where email = ${gone[1]!}`;
    await sql`delete from private.outbox where left_at is not null`;
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
    const emails = range(20, 'member');
    const [{ status }] = await Promise.all([
      restore(name),
      ...emails.map((email) => accept(email)),
      ...emails.map((email) => idOf(email).then(unsubscribe)),
      ...emails.map(lease),
    ]);
    expect(status).toBe(0);
    const welcomes = await sql`
      select from private.outbox where member is not null and announcement is null and left_at is null`;
    expect(welcomes).toHaveLength((await members()).length);
  });

  it('accepts what was saved before and after a new secret was put in front, but nothing of another project', async () => {
    const { values } = owner.settings;
    const setSecret = (TOKEN_SECRET: string) => owner.describeStack({ values: { ...values, TOKEN_SECRET } });
    onTestFinished(async () => void (await sql`delete from private.deployment where true`));
    await recordDeployment(sql, values);
    const before = await save();
    setSecret(`${'new'.repeat(11)}, ${values.TOKEN_SECRET}`);
    expect(await owner.read('restore', before)).toMatchObject({ added: 0 });
    const later = await save();
    await owner.read('bar', 'a@b.com');
    owner.describeStack();
    expect(await owner.read('restore', later)).toMatchObject({ added: 0 });
    setSecret(`${values.TOKEN_SECRET}, ${'x'.repeat(32)}`);
    for (const command of ['backup --output x.jsonl', `restore ${later}`, 'bar a@b.com', 'show a@b.com'])
      expect((await owner.run(command.split(' '))).stderr, command).toMatch(/^TOKEN_SECRET: its last /);
  });
});
