import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { acceptTruly, owner } from './command-line.ts';
import { addMembers, change, clear, members, neverMail, queue, report, sql } from './sign-ups.ts';

const file = (name: string) => readFileSync(join(owner.folder, name), 'utf8');

/** In the order in which they joined. The last two joined at the same time, so the address decides. */
const four = {
  'd@example.com': '2026-11-20T23:59:59.999999+00:00',
  'c@example.com': '2026-11-21T00:00:00.000001+00:00',
  'a@example.org': '2026-11-21T00:00:00.000002+00:00',
  'b@example.com': '2026-11-21T00:00:00.000002+00:00',
};

describe('export', () => {
  beforeEach(async () => {
    for (const [email, joined] of Object.entries(four)) await addMembers([email], { joined });
    // Once PostgreSQL knows how short the list is, it sorts the rows itself instead of reading them in the order of an index.
    await sql`analyze waitlist_emails`;
  });

  it('lists members with the announcements that they got, oldest first, to the microsecond', async () => {
    for (const name of ['beta', 'launch']) await queue(name);
    for (const [place, name] of ['launch', 'beta'].entries())
      await change('c@example.com', { state: 'sent', sent_at: `2026-11-22T00:00:0${place}Z` }, name);
    const { stdout } = await owner.run(['export', '--json']);
    expect(stdout.match(/.+/g)!.map((line) => JSON.parse(line))).toEqual(
      Object.entries(four).map(([email, created_at]) => ({
        ...{ email, created_at, source: 'landing_page' },
        announcements: email === 'c@example.com' ? 'launch beta' : null,
      })),
    );
  });

  it('skips members who bounced permanently or complained', async () => {
    await neverMail('c@example.com');
    const { stderr } = await owner.run(['export', '--output', 'mailable.csv']);
    expect(stderr).toBe('Written to mailable.csv: 3 members.\n');
    expect(file('mailable.csv')).not.toContain('c@example.com');
    expect(statSync(join(owner.folder, 'mailable.csv')).mode & 0o777).toBe(0o600);
  });

  it('writes CSV in which no spreadsheet runs an address as a formula', async () => {
    await clear();
    const hostile = ['+1@example.com', '-1@example.com', '=1+1@example.com'];
    await addMembers(hostile, { joined: '2026-11-21T00:00:00Z' });
    await queue();
    await sql`update private.outbox set state = 'sent' where true`;
    expect((await owner.run(['export'])).stdout.split('\r\n')).toEqual([
      'email,created_at,source,announcements',
      ...hostile.map((email, at) =>
        expect.stringMatching(
          new RegExp(`^'${RegExp.escape(email)},2026-11-21T00:00:0${at}\\S*,landing_page,launch$`),
        ),
      ),
      '',
    ]);
  });

  it.each([
    ['mine.csv', 1, 'mine.csv: file already exists.\n'],
    ['nowhere/mine.csv', 1, 'nowhere/mine.csv: no such file or directory.\n'],
    ['members.jsonl', 2, 'must end in .csv.'],
  ])('refuses a file that it cannot write: %s', async (name, status, said) => {
    writeFileSync(join(owner.folder, 'mine.csv'), 'mine');
    const stderr = expect.stringContaining(said);
    expect(await owner.run(['export', '--output', name])).toMatchObject({ status, stdout: '', stderr });
    expect(file('mine.csv')).toBe('mine');
  });

  it('writes files that git ignores', () => {
    const lines = readFileSync(join(import.meta.dirname, '../../.gitignore'), 'utf8').split('\n');
    expect(lines).toEqual(expect.arrayContaining(['*.csv', '*.jsonl', '*.csv.gz']));
  });
});

describe('remove', () => {
  beforeEach(() => addMembers(['d@example.com', 'other@example.com']));

  it('asks, removes the address, and keeps it if the answer is no, or none', async () => {
    for (const answer of ['not any\n', 'yet\n', '\n', '']) {
      const no = await owner.run(['remove', 'D@example.com'], { answer });
      expect(no).toMatchObject({ status: 1, stderr: expect.stringContaining('Nothing was changed.') });
    }
    const unasked = await owner.run(['remove', 'D@example.com', '--json']);
    expect(unasked).toMatchObject({ status: 2, stderr: expect.stringContaining('Add --yes.') });
    expect(await members()).toContain('d@example.com');
    const yes = await owner.run(['remove', 'D@example.com'], { answer: 'y\n' });
    expect(yes).toMatchObject({ status: 0, stdout: '  d@example.com\nRemoved: 1 of 1 address.\n' });
    expect(await members()).toEqual(['other@example.com']);
  });

  it('reports an address that is not on the list', async () => {
    const stderr = expect.stringMatching(/^nobody@example.com is not on the list/);
    expect(await owner.run(['remove', 'nobody@example.com', '--yes'])).toMatchObject({ status: 1, stderr });
  });
});

describe('a mailbox', () => {
  const spellings = ['j.doe+dropyard@gmail.com', 'j.doe@googlemail.com', 'jdoe@gmail.com'];
  beforeEach(async () => {
    for (const email of [...spellings, 'anna@example.com', 'anna+news@example.com']) await acceptTruly(email);
  });

  it('is removed as a whole, by a spelling that is not on the list', async () => {
    const { emails } = (await owner.read('remove', 'j.doe@gmail.com', '--yes')) as { emails: string[] };
    expect(emails.toSorted()).toEqual(spellings);
    expect(await members()).toEqual(['anna+news@example.com', 'anna@example.com']);
    expect((await owner.run(['remove', 'anna@example.com'], { answer: 'n\n' })).screen).toMatch(
      /^ {2}anna@.*\n {2}anna\+news@.*\nRemove 2 addresses from the list and the outbox\?/,
    );
  });

  it('is removed with many others by a file such as "export" writes', async () => {
    await addMembers(['=1@example.com', 'stays@example.com']);
    await owner.run(['export', '--output', 'bots.csv']);
    const bots = file('bots.csv').replace(/^stays.*\r\n/m, '');
    writeFileSync(join(owner.folder, 'bots.csv'), `\uFEFF${bots}jdoe@gmail.com\nnobody@example.com\n`);
    expect((await owner.run(['remove', '--file', 'bots.csv', '--yes'])).stdout).toMatch(
      /Removed: 6 of 6 addr/,
    );
    expect(await members()).toEqual(['stays@example.com']);
    writeFileSync(join(owner.folder, 'bots.csv'), 'stays@example.com\nanna at example.com\n');
    expect(await owner.run(['remove', '--file', 'bots.csv', '--yes'])).toMatchObject({
      status: 2,
      stderr: 'bots.csv:2 has no address. Nothing was removed.\n',
    });
  });

  it('that is barred gets no mail, whoever signs it up, until it is forgiven', async () => {
    expect(await owner.read('bar', 'jdoe+x@gmail.com')).toMatchObject({ barred: true });
    const { stdout } = await owner.run(['show', 'jdoe@gmail.com']);
    expect(stdout.match(/^Never mailed: /gm)).toHaveLength(3);
    expect(stdout).toMatch(/\nNever mailed: .* "forgive jdoe@gmail\.com" changes that\.\n$/);
    await change('jdoe@gmail.com', { state: 'refused' });
    expect(await owner.read('retry', 'jdoe+y@gmail.com')).toEqual({ retried: 0 });
    expect(await owner.read('forgive', 'jdoe@gmail.com')).toMatchObject({ forgiven: true });
    expect(await owner.read('retry', 'jdoe+y@gmail.com')).toEqual({ retried: 1 });
    await sql`update private.members set mailbox_hash = 'lost' where email = 'jdoe@gmail.com'`;
    await owner.read('bar', 'jdoe@gmail.com');
    expect(await sql`select from private.never_mailed where hash = 'lost'`).toHaveLength(1);
    await owner.read('remove', 'jdoe@gmail.com', '--yes');
    expect(await owner.read('bar', 'jdoe@gmail.com'), 'also after "remove"').toMatchObject({ barred: false });
    expect((await owner.run(['show', 'j.doe@gmail.com'])).stderr).toContain('"forgive j.doe@gmail.com"');
  });
});

describe('remove-undelivered', () => {
  const joined = '2026-11-21T08:00:00Z';
  const command = ['remove-undelivered', '--from', '2026-11-21T08:00', '--until', '2026-11-21T08:01'];

  /** Members of that time: those who never got a message, then those who did, or may have. */
  const cases: Record<string, [isRemoved: boolean, set: (email: string) => Promise<unknown>]> = {
    refused: [true, (email) => change(email, { state: 'refused', tries: 1 })],
    failed: [true, (email) => change(email, { state: 'refused', rejections: 1 })],
    bounced: [true, (email) => report('bounced', email)],
    suppressed: [true, (email) => report('suppressed', email)],
    waiting: [false, (email) => change(email, { state: 'waiting' })],
    capped: [false, (email) => change(email, { state: 'refused', last_problem: 'has three' })],
    tried: [false, (email) => change(email, { state: 'waiting', tries: 1, last_problem: '500' })],
    postponed: [false, (email) => change(email, { state: 'waiting', last_problem: '429' })],
    uncertain: [false, (email) => change(email, { state: 'refused', tries: 2, uncertain_since: joined })],
    unknown: [false, (email) => change(email, { state: 'unknown' })],
    full: [false, (email) => report('bounced', email, { isFinal: false })],
    arrived: [false, (email) => report('delivered', email).then(() => report('bounced', email))],
    complained: [false, (email) => report('complained', email)],
    forgiven: [false, (email) => report('bounced', email).then(() => owner.read('forgive', email))],
    launched: [
      false,
      async (email) => {
        await queue();
        await change(email, { state: 'sent', sent_at: joined }, 'launch');
        await change(email, { state: 'refused', tries: 1 });
      },
    ],
  };
  const set = async (...names: string[]) => {
    for (const name of names) {
      await addMembers([`${name}@example.com`], { joined });
      await cases[name]![1](`${name}@example.com`);
    }
  };

  it('removes only members who certainly never got a message, although it was tried', async () => {
    await addMembers(['early@example.com'], { joined: '2026-11-21T07:59:59Z', state: 'refused' });
    await addMembers(['late@example.com'], { joined: '2026-11-21T08:01:00Z', state: 'refused' });
    await set(...Object.keys(cases));
    await owner.read(...command, '--yes');
    const staying = Object.keys(cases).filter((name) => !cases[name]![0]);
    const expected = [...staying, 'early', 'late'].map((name) => `${name}@example.com`);
    expect(await members()).toEqual(expected.toSorted());
  });

  it('counts each kind, shows ten of them, advises a backup and asks', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());
    const bots = [...'abcdefghijk'].map((name) => `${name}@example.com`);
    await addMembers(bots, { joined, state: 'refused' });
    await sql`update private.outbox set tries = 1 where true`;
    await set('bounced');
    const { screen } = await owner.run(command, { answer: 'n\n' });
    expect(screen).toContain('1 member: came back\n');
    expect(screen).toContain('11 members: refused\n');
    expect(screen.match(/^ {2}\S+@example\.com/gm)).toHaveLength(10);
    expect(screen).toMatch(/\nRemove 12 members\? .*backup.* \[y\/N\] Nothing was changed\.\n$/);
    expect(await owner.run([...command, '--json'])).toMatchObject({ status: 2 });
    expect(await members()).toHaveLength(12);
  });

  it('removes exactly those it counted, but nobody who got a message meanwhile', async () => {
    await set('refused', 'bounced');
    const before = async () => {
      await addMembers(['new@example.com'], { joined, state: 'refused' });
      await change('new@example.com', { tries: 1 });
      await change('refused@example.com', { state: 'sent' });
    };
    const { stdout } = await owner.run(command, { answer: 'y\n', before });
    expect(stdout).toMatch(/\nRemoved: 1 of 2 members\.\n$/);
    expect(await members()).toEqual(['new@example.com', 'refused@example.com']);
  });

  it.each([
    ['Give a time in UTC', ['2026-13-01', '2026-02-30', '26-11-2026']],
    ['--until must be later than --from.', ['2026-11-21T08:01', '2026-11-22']],
  ])('says "%s" to the times %j', async (said, times) => {
    const refusal = { status: 2, stderr: expect.stringContaining(said) };
    for (const time of times)
      expect(await owner.run([...command, '--from', time, '--yes'])).toMatchObject(refusal);
  });
});
