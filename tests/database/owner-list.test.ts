import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { owner } from './command-line.ts';
import { addMembers, clear, neverMail, sql } from './sign-ups.ts';

const file = (name: string) => readFileSync(join(owner.folder, name), 'utf8');
const emails = (rows: unknown) => (rows as { email: string }[]).map(({ email }) => email);

/** In the order in which they joined. The last two joined at the same time, so the address decides. */
const four = {
  'd@example.com': '2026-11-20T23:59:59.999999Z',
  'c@example.com': '2026-11-21T00:00:00.000001Z',
  'a@example.org': '2026-11-21T00:00:00.000002Z',
  'b@example.com': '2026-11-21T00:00:00.000002Z',
};

beforeEach(async () => {
  for (const [email, joined] of Object.entries(four)) await addMembers([email], { joined });
  // Once PostgreSQL knows how short the list is, it sorts the rows itself instead of reading them in the order of an index.
  await sql`analyze waitlist_emails`;
});

describe('list', () => {
  it('prints one member per line, oldest first', async () => {
    const { status, stdout, stderr } = await owner.run(['list']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = Object.entries(four).map(([email, joined]) => `${joined.slice(0, 19)}Z  ${email}\n`);
    expect(stdout).toBe(lines.join(''));
  });

  it('prints JSON with times to the microsecond, and no more members than --limit', async () => {
    const [[email, created_at]] = Object.entries(four) as [[string, string]];
    expect(await owner.read('list', '--limit', '1')).toEqual([{ email, created_at, source: 'landing_page' }]);
    expect(emails(await owner.read('list', '--limit', '2'))).toEqual(Object.keys(four).slice(0, 2));
  });

  it('says on stderr that there are no members', async () => {
    await clear();
    expect(await owner.run(['list'])).toMatchObject({ status: 0, stdout: '', stderr: 'No members.\n' });
    expect(await owner.read('list')).toEqual([]);
  });

  it.each(['0', '2147483648', 'many'])('refuses --limit %s', async (limit) => {
    const { status, stdout, stderr } = await owner.run(['list', '--limit', limit]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/whole number from 1 to 2147483647/);
  });
});

it('count prints the number of members, and JSON with --json before the command, too', async () => {
  expect(await owner.run(['count'])).toMatchObject({ status: 0, stdout: '4\n', stderr: '' });
  expect(JSON.parse((await owner.run(['--json', 'count'])).stdout)).toEqual({ members: 4 });
});

describe('export', () => {
  it('skips members who bounced permanently or complained, and counts them', async () => {
    await addMembers(['gone@example.com']);
    await neverMail('gone@example.com');
    const { stderr } = await owner.run(['export', '--output', 'mailable.csv']);
    expect(stderr).toBe(
      'Written to mailable.csv: 4 members.\nSkipped: 1 member who bounced permanently or complained.\n',
    );
    expect(file('mailable.csv')).not.toContain('gone@example.com');
    expect(emails(await owner.read('list'))).toContain('gone@example.com');
  });

  it('writes CSV with every address in a form that no spreadsheet runs as a formula, and JSON Lines as they are', async () => {
    await clear();
    const hostile = ['+1@example.com', '-1@example.com', '=1+1@example.com'];
    await addMembers(hostile, { joined: '2026-11-21T00:00:00Z' });
    expect((await owner.run(['export'])).stdout.split('\r\n')).toEqual([
      'email,created_at,source',
      ...hostile.map((email, place) => `'${email},2026-11-21T00:00:0${place}.00000${place}Z,landing_page`),
      '',
    ]);
    const { stdout } = await owner.run(['export', '--json']);
    expect(
      emails(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    ).toEqual(hostile);
  });

  it('writes a file that only the user can read, and never replaces one', async () => {
    expect((await owner.run(['export', '--output', 'members.csv'])).status).toBe(0);
    expect(statSync(join(owner.folder, 'members.csv')).mode & 0o777).toBe(0o600);
    writeFileSync(join(owner.folder, 'members.csv'), 'mine');
    const { status, stderr } = await owner.run(['export', '--output', 'members.csv']);
    expect(status).toBe(2);
    expect(stderr).toBe('members.csv already exists. Choose another name, or delete it first.\n');
    expect(file('members.csv')).toBe('mine');
  });

  it.each([
    [['--output', 'members.jsonl'], 'must end in .csv.'],
    [['--json', '--output', 'members.csv'], 'must end in .jsonl.'],
    [['--output', 'nowhere/members.csv'], 'nowhere/members.csv cannot be written (ENOENT).'],
  ])('refuses a file that it cannot write: %j', async (args, said) => {
    const { status, stdout, stderr } = await owner.run(['export', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(said);
  });

  it.each(['.csv', '.jsonl', '.csv.gz'])('writes files that git ignores: *%s', (ending) => {
    const lines = readFileSync(join(import.meta.dirname, '../../.gitignore'), 'utf8').split('\n');
    expect(lines).toContain(`*${ending}`);
  });
});

describe('remove', () => {
  it('asks, removes the address, and keeps it if the answer is no, or none', async () => {
    for (const answer of ['n\n', '\n', '']) {
      const no = await owner.run(['remove', 'D@example.com'], { answer });
      expect(no).toMatchObject({ status: 1, stderr: expect.stringContaining('Nothing was changed.') });
    }
    expect(emails(await owner.read('list'))).toContain('d@example.com');
    const yes = await owner.run(['remove', 'D@example.com'], { answer: 'y\n' });
    expect(yes).toMatchObject({ status: 0, stdout: 'd@example.com was removed.\n' });
    expect(emails(await owner.read('list'))).not.toContain('d@example.com');
  });

  it('reports an address that is not on the list, and refuses anything but one address', async () => {
    const nobody = await owner.run(['remove', 'nobody@example.com', '--yes']);
    expect(nobody).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'nobody@example.com was not on the list.\n',
    });
    const two = await owner.run(['remove', 'a@example.com,b@example.com', '--yes']);
    expect(two).toMatchObject({ status: 2, stderr: expect.stringContaining('Give one address') });
  });
});
