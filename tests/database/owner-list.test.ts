import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startOwner } from './command-line.ts';

const { owner, sql } = startOwner();

beforeEach(() => sql`truncate waitlist_emails, private.outbox, private.never_mailed cascade`);

async function addMembers(members: [email: string, createdAt: string][]): Promise<void> {
  for (const [email, createdAt] of members) {
    // As text, because the driver would round a time to milliseconds.
    await sql`
      insert into waitlist_emails (email, created_at, source, accepted)
      values (${email}, ${createdAt}::text::timestamptz, 'landing_page', true)`;
  }
}

const four: [string, string][] = [
  ['d@example.com', '2026-11-20T23:59:59.999999Z'],
  ['c@example.com', '2026-11-21T00:00:00.000001Z'],
  ['b@example.com', '2026-11-21T00:00:00.000002Z'],
  // At the same time, so the address decides the order.
  ['a@example.org', '2026-11-21T00:00:00.000002Z'],
];
const emails = (rows: unknown) => (rows as { email: string }[]).map(({ email }) => email);

describe('list', () => {
  beforeEach(async () => {
    await addMembers(four);
    // Once PostgreSQL knows how short the list is, it sorts the rows itself instead of reading them in the order of an index.
    await sql`analyze waitlist_emails`;
  });

  it('prints one member per line, oldest first', async () => {
    expect(await owner.run(['list'])).toEqual({
      status: 0,
      stdout: [
        '2026-11-20T23:59:59Z  d@example.com\n',
        '2026-11-21T00:00:00Z  c@example.com\n',
        '2026-11-21T00:00:00Z  a@example.org\n',
        '2026-11-21T00:00:00Z  b@example.com\n',
      ].join(''),
      stderr: '',
    });
  });

  it('prints JSON with times to the microsecond', async () => {
    expect(await owner.read('list', '--limit', '1')).toEqual([
      { email: 'd@example.com', created_at: '2026-11-20T23:59:59.999999Z', source: 'landing_page' },
    ]);
  });

  it('prints no more members than --limit, the oldest ones', async () => {
    expect(emails(await owner.read('list', '--limit', '2'))).toEqual(['d@example.com', 'c@example.com']);
  });

  it('says on stderr that there are no members', async () => {
    await sql`truncate waitlist_emails cascade`;
    expect(await owner.run(['list'])).toEqual({ status: 0, stdout: '', stderr: 'No members.\n' });
    expect(await owner.read('list')).toEqual([]);
  });

  it.each([
    ['list', '--limit', '0', /whole number from 1 to 2147483647/],
    ['list', '--limit', '2147483648', /whole number from 1 to 2147483647/],
    ['export', '--output', '', /must end in \.csv\./],
  ])('refuses %s %s %j', async (command, option, value, message) => {
    const { status, stdout, stderr } = await owner.run([command, option, value]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('count', () => {
  beforeEach(() => addMembers(four));

  it('prints the number of members', async () => {
    expect(await owner.run(['count'])).toEqual({ status: 0, stdout: '4\n', stderr: '' });
  });

  it('prints JSON with --json before the command, too', async () => {
    const { stdout } = await owner.run(['--json', 'count']);
    expect(JSON.parse(stdout)).toEqual({ members: 4 });
  });
});

describe('export', () => {
  it('skips members who bounced permanently or complained, and counts them', async () => {
    await addMembers(four);
    await sql`
      insert into private.outbox (email, state, email_hash, sent_at)
      select email, 'sent', 'hash of ' || email, now() from waitlist_emails`;
    await sql`insert into private.never_mailed values ('hash of c@example.com'), ('hash of somebody who left')`;
    const { stderr } = await owner.run(['export', '--output', 'mailable.csv']);
    expect(stderr).toBe(
      'Written to mailable.csv: 3 members.\nSkipped: 1 member who bounced permanently or complained.\n',
    );
    expect(readFileSync(join(owner.folder, 'mailable.csv'), 'utf8')).not.toContain('c@example.com');
    expect(emails(await owner.read('list'))).toHaveLength(4);
  });

  it('writes CSV with every address, in a form that no spreadsheet runs as a formula', async () => {
    const hostile = ['=1+1@example.com', '+1@example.com', '-1@example.com', "'1@example.com"];
    await addMembers(hostile.map((email, index) => [email, `2026-11-21T00:00:0${index}Z`]));
    expect((await owner.run(['export'])).stdout.split('\r\n')).toEqual([
      'email,created_at,source',
      "'=1+1@example.com,2026-11-21T00:00:00.000000Z,landing_page",
      "'+1@example.com,2026-11-21T00:00:01.000000Z,landing_page",
      "'-1@example.com,2026-11-21T00:00:02.000000Z,landing_page",
      "'1@example.com,2026-11-21T00:00:03.000000Z,landing_page",
      '',
    ]);
  });

  it('writes JSON Lines with the addresses as they are', async () => {
    await addMembers([['=1+1@example.com', '2026-11-21T00:00:00Z'], ...four.slice(1)]);
    const { stdout } = await owner.run(['export', '--json']);
    const lines = stdout.trim().split('\n');
    expect(emails(lines.map((line) => JSON.parse(line)))).toEqual([
      '=1+1@example.com',
      'c@example.com',
      'a@example.org',
      'b@example.com',
    ]);
  });

  it('writes the names of the columns when the list is empty', async () => {
    expect((await owner.run(['export'])).stdout).toBe('email,created_at,source\r\n');
    expect((await owner.run(['export', '--json'])).stdout).toBe('');
  });

  it('writes a file that only the user can read, and never replaces one', async () => {
    await addMembers(four);
    const file = join(owner.folder, 'members.csv');
    const first = await owner.run(['export', '--output', 'members.csv']);
    expect(first).toEqual({ status: 0, stdout: '', stderr: 'Written to members.csv: 4 members.\n' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'mine');
    const second = await owner.run(['export', '--output', 'members.csv']);
    expect(second.status).toBe(2);
    expect(second.stderr).toBe('members.csv already exists. Choose another name, or delete it first.\n');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('says in a terminal that it may take a few minutes', async () => {
    const { status, screen } = await owner.type(['export', '--output', 'long.csv'], '');
    expect(screen).toMatch(/^Writing long\.csv\. This may take a few minutes…\s+Written to long\.csv/);
    expect(status).toBe(0);
  });

  it.each([
    [['--output', 'members.json'], '.csv'],
    [['--output', 'members.jsonl'], '.csv'],
    [['--json', '--output', 'members.CSV'], '.jsonl'],
    [['--json', '--output', 'members.json'], '.jsonl'],
  ])('refuses a file name with the ending of another format: %j', async (args, ending) => {
    const stderr = `The name of the new file must end in ${ending}.\n`;
    expect(await owner.run(['export', ...args])).toEqual({ status: 2, stdout: '', stderr });
    expect(existsSync(join(owner.folder, args.at(-1)!))).toBe(false);
  });

  it.each(['members.csv', 'exports/members.jsonl', 'members.csv.gz'])(
    'writes files that git ignores: %s',
    (file) => {
      const lines = readFileSync(join(import.meta.dirname, '../../.gitignore'), 'utf8').split('\n');
      const endings = lines.filter((line) => line.startsWith('*.')).map((line) => line.slice(1));
      expect(endings.some((ending) => file.endsWith(ending))).toBe(true);
    },
  );

  it('reports a folder that does not exist', async () => {
    const ended = await owner.run(['export', '--output', 'nowhere/members.csv']);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toBe('The folder nowhere does not exist. Create it, or choose another one.\n');
  });

  it('reports a file that cannot be written', async () => {
    writeFileSync(join(owner.folder, 'taken'), '');
    const { status, stderr } = await owner.run(['export', '--output', 'taken/members.csv']);
    expect(stderr).toBe(
      'taken/members.csv cannot be written (ENOTDIR). Choose another place with --output.\n',
    );
    expect(status).toBe(1);
  });

  it.runIf(existsSync('/dev/full'))('fails when its output is cut off, as on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = owner.spawn(['export'], ['ignore', full, 'pipe']);
    const stderr = child.stderr!.toArray();
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(Buffer.concat(await stderr).toString()).toBe('The output cannot be written (ENOSPC).\n');
    closeSync(full);
  });
});
