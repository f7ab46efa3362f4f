import { beforeEach, describe, expect, it, vi } from 'vitest';
import { owner } from './command-line.ts';
import { addMembers, change, neverMail, queue, queued, sql, template } from './sign-ups.ts';

// tests/unit/announce.test.ts reads real ones.
let message = '';
vi.mock('../../ops/announcement.ts', async (load) => ({
  ...(await load<typeof import('../../ops/announcement.ts')>()),
  listAnnouncements: () => ['later', 'news'],
  readAnnouncement: async () => ({ subject: 'Big news', message }),
}));

const add = (...names: string[]) => addMembers(names.map((name) => `${name}@example.com`));
const run = (...args: string[]) => owner.run(['announce', 'news', ...args]);

beforeEach(() => void (message = template));

describe('announce', () => {
  it('shows what it would do, asks, and changes nothing if the answer is no', async () => {
    await add('gone', ...Array.from({ length: 240 }, (_, place) => `member${place}`));
    await neverMail('gone@example.com');
    await addMembers(['new@example.com'], { state: 'waiting' });
    const { status, screen } = await owner.run(['announce', 'news'], { answer: 'n\n' });
    expect(screen.split('\n').map((line) => line.replace(/\s{2,}/g, ' | '))).toEqual([
      'news: Big news',
      "recipients | 241 | about 3 minutes at 2 a second; about 3 days at 100 a day (Resend's free plan)",
      'skipped | 1 | bounced permanently or complained',
      'waiting welcomes | 1 | are sent first',
      'Send news to 241 members? [y/N] Nothing was changed.',
      '',
    ]);
    expect(status).toBe(1);
    expect(await queued('news')).toEqual([]);
  });

  it('queues the message for every member if the answer is yes', async () => {
    await add('a', 'b');
    const { status, stdout } = await owner.run(['announce', 'news'], { answer: 'y\n' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Queued: 2 messages.') });
    expect(await queued('news')).toEqual(['a@example.com', 'b@example.com']);
    expect((await run()).stdout).toMatch(/queued before +2 .*\nThere is nobody left to send it to\.\n/);
  });

  it('invites in waves with --first, and needs --yes without a terminal', async () => {
    await add('c', 'a', 'b');
    expect(await run('--first', '2')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Add --yes.'),
    });
    const figures = { name: 'news', subject: 'Big news', never_mailed: 0 };
    const first = { ...figures, recipients: 2, queued_before: 0, queued: 2 };
    expect(await owner.read('announce', 'news', '--first', '2', '--yes')).toEqual(first);
    const rest = { ...figures, recipients: 1, queued_before: 2, queued: 1 };
    expect(await owner.read('announce', 'news', '--yes')).toEqual(rest);
  });

  it('refuses words that changed after it was queued, or while it asks', async () => {
    await add('a');
    const changed = { status: 1, stderr: expect.stringContaining('its message has changed since then') };
    const before = () => queue('news');
    message = message.replace('Hello', 'Goodbye');
    expect(await owner.run(['announce', 'news'], { answer: 'y\n', before })).toMatchObject(changed);
    expect(await run('--yes')).toMatchObject(changed);
    expect(await queued('news')).toEqual(['a@example.com']);
  });

  it.each([
    ['--to', 'me@example.com', '--yes'],
    ['--to', 'me@example.com', '--first', '5'],
    ['--watch', '--stop'],
    ['--stop', '--resume'],
    ['--to', 'nobody'],
    ['--first', '0'],
  ])('refuses options that exclude each other, and wrong values: %s %s %s', async (...args) => {
    const { status, stderr } = await run(...args);
    expect(stderr).toMatch(/Use one of --to, --first|Give one address|whole number/);
    expect(status).toBe(2);
    expect(await sql`select from private.announcements`).toHaveLength(0);
  });

  it('lists the announcements with their states', async () => {
    await add('a', 'b');
    await queue('news');
    await change('a@example.com', { state: 'sent' }, 'news');
    expect((await owner.run(['announce'])).stdout.replace(/ {2,}/g, ' | ').split('\n')).toEqual([
      'news | 1 sent, 1 waiting, 0 failed, about 1 minute at 2 a second',
      'later | not queued: "announce later" shows what it would do',
      '',
    ]);
    expect(await owner.read('announce')).toMatchObject([
      { name: 'news', sent: 1, waiting: 1 },
      { name: 'later' },
    ]);
    expect(await owner.run(['announce', '--stop'])).toMatchObject({ status: 2 });
  });
});

describe('a queued announcement', () => {
  it('stops and resumes', async () => {
    await add('a');
    await queue('news');
    expect(await run('--stop')).toMatchObject({
      status: 0,
      stdout: 'Stopped. 1 message left; "announce news --resume" sends them.\n',
    });
    expect((await run()).stdout).toContain('\nIt is stopped. "announce news --resume" continues it.\n');
    expect((await owner.run(['announce'])).stdout).toContain(
      '1 waiting, 0 failed, stopped: "announce news --resume"',
    );
    expect(await owner.read('announce', 'news', '--resume')).toEqual({
      name: 'news',
      is_stopped: false,
      waiting: 1,
    });
    expect((await owner.run(['announce'])).stdout).toContain('about 1 minute');
  });

  it.each(['--watch', '--stop', '--resume'])('says that nothing has been queued yet: %s', async (option) => {
    const { status, stderr } = await run(option);
    expect(stderr).toMatch(/announcement "news"|news has not been queued/);
    expect(status).toBe(2);
  });
});
