import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeUnsubscribeToken, readUnsubscribeToken } from '../../functions/_shared/secrets.ts';
import { owner } from './command-line.ts';
import { addMembers, change, idOf, neverMail, queue, queued, sql, template } from './sign-ups.ts';

// tests/unit/announcement-file.test.ts reads real ones.
const { readAnnouncement } = vi.hoisted(() => ({ readAnnouncement: vi.fn() }));
vi.mock('../../ops/announcement.ts', async (load) => ({
  ...(await load<typeof import('../../ops/announcement.ts')>()),
  listAnnouncements: () => [
    { name: 'later', isDraft: true },
    { name: 'news', isDraft: false },
    { name: 'soon', isDraft: false },
  ],
  readAnnouncement,
}));

const write = (subject: string, warnings: string[] = []) =>
  readAnnouncement.mockResolvedValue({ template: { ...JSON.parse(template), subject }, warnings });
const { subject } = JSON.parse(template) as { subject: string };
const add = (...names: string[]) => addMembers(names.map((name) => `${name}@example.com`));
const run = (...args: string[]) => owner.run(['announce', 'news', ...args]);
const figures = { queued_before: 0, never_mailed: 0, welcome_waits: 0, not_delivered: 0, queued: 0 };

beforeEach(() => write(subject));

describe('announce', () => {
  it('shows the warnings, what it would do and whom it skips, asks, and changes nothing if the answer is no', async () => {
    write(subject, ['news.mdx:7  Is [First Name] meant?']);
    await add('gone', ...Array.from({ length: 240 }, (_, place) => `member${place}`));
    await neverMail('gone@example.com');
    await addMembers(['new@example.com'], { state: 'waiting' });
    await addMembers(['nobody@example.com'], { state: 'refused' });
    await sql`insert into private.outbox default values`;
    const { status, screen } = await owner.run(['announce', 'news'], { answer: 'n\n' });
    expect(screen.split('\n').map((line) => line.replace(/\s{2,}/g, ' | '))).toEqual([
      `news: ${subject}`,
      'news.mdx:7 | Is [First Name] meant?',
      "recipients | 240 | about 3 minutes at 2 a second; about 3 days at 100 a day (Resend's free plan)",
      'skipped | 1 | their welcome waits: a later run adds them',
      'skipped | 1 | their welcome was refused, or may not have been sent',
      'skipped | 1 | bounced permanently or complained',
      'waiting welcomes | 2 | are sent first',
      'Send news to 240 members? [y/N] Nothing was changed.',
      '',
    ]);
    expect(status).toBe(1);
    expect(await queued('news')).toEqual([]);
  });

  it('says that deliveries are paused, and that the brake holds up welcomes only', async () => {
    await add('a');
    await addMembers(['new@example.com'], { state: 'waiting' });
    const ask = async () => (await owner.run(['announce', 'news'], { answer: 'n\n' })).stdout;
    await sql`insert into private.hours (hour, sent, bounced) values (now(), 60, 60)`;
    expect(await ask()).toMatch(/recipients +1 +about 1 minute/);
    await sql`update private.pace set next_delivery_at = '2099-01-01T00:00:00Z'`;
    expect(await ask()).toMatch(/recipients +1 +paused until 2099/);
  });

  it('queues the message if the answer is yes, and says when nobody is left', async () => {
    await add('a', 'b');
    const { status, stdout } = await owner.run(['announce', 'news'], { answer: 'y\n' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Queued: 2 messages.') });
    expect(await queued('news')).toEqual(['a@example.com', 'b@example.com']);
    expect((await run()).stdout).toMatch(/queued before +2 .*\nThere is nobody left to send it to\.\n/);
  });

  it('invites until --first members have it, so that the same wave can be run again', async () => {
    await add('c', 'a', 'b');
    expect(await run('--first', '2')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Add --yes.'),
    });
    const wave = async (first: string) =>
      (await owner.read('announce', 'news', '--first', first, '--yes')) as object;
    const told = { name: 'news', subject, warnings: [], ...figures };
    expect(await wave('2')).toEqual({ ...told, recipients: 2, queued: 2 });
    expect(await wave('2')).toEqual({ ...told, recipients: 0, queued_before: 2 });
    expect(await queued('news')).toEqual(['a@example.com', 'c@example.com']);
  });

  it('refuses words that changed after it was queued, or while it asks', async () => {
    await add('a');
    const changed = { status: 1, stderr: expect.stringContaining('its message has changed since then') };
    const before = () => queue('news');
    write('Other news');
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

  it('lists the announcements with their states, and says which is a draft', async () => {
    await add('a', 'b');
    await queue('news');
    await change('a@example.com', { state: 'sent' }, 'news');
    expect((await owner.run(['announce'])).stdout.replace(/ {2,}/g, ' | ').split('\n')).toEqual([
      'news | 1 sent, 1 waiting, 0 failed, about 1 minute at 2 a second',
      'later | a draft',
      'soon | not queued: "announce soon" shows what it would do',
      '',
    ]);
    expect(await owner.read('announce')).toMatchObject([{ name: 'news', sent: 1 }, { name: 'later' }, {}]);
    expect(await owner.run(['announce', '--stop'])).toMatchObject({ status: 2 });
  });
});

describe('a queued announcement', () => {
  it('stops and resumes, and says why it had stopped itself', async () => {
    await add('a');
    await queue('news');
    expect(await run('--stop')).toMatchObject({
      status: 0,
      stdout: 'Stopped. 1 message left; "announce news --resume" sends them.\n',
    });
    expect((await run()).stdout).toContain('\nIt is stopped. "announce news --resume" continues it.\n');
    await sql`update private.announcements set stopped_because = '9 of 10 messages bounced', bounced = 9`;
    expect((await owner.run(['announce'])).stdout).toContain(
      'stopped because 9 of 10 messages bounced: "announce news --resume"',
    );
    const { status, stdout } = await run('--watch');
    expect({ status, stdout }).toMatchObject({ status: 1, stdout: expect.stringContaining('1 waiting') });
    expect((await run('--resume')).stdout).toBe(
      'Resumed. 1 message left. It had stopped because 9 of 10 messages bounced.\n',
    );
    expect(await sql`select bounced, is_stopped from private.announcements`).toEqual([
      { bounced: 0, is_stopped: false },
    ]);
  });

  it('is watched until all is done', async () => {
    await add('a', 'b');
    await queue('news');
    await change('a@example.com', { state: 'sent' }, 'news');
    await change('b@example.com', { state: 'refused' }, 'news');
    const { status, stdout } = await run('--watch');
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      '1 sent, 0 waiting, 1 failed',
      expect.stringContaining('"retry"'),
    ]);
    expect(status).toBe(0);
  });

  it.each(['--watch', '--stop', '--resume'])('says that nothing has been queued yet: %s', async (option) => {
    const { status, stderr } = await run(option);
    expect(stderr).toMatch(/announcement "news"|news has not been queued/);
    expect(status).toBe(2);
  });
});

describe('a test message', () => {
  const calls: {
    headers: NodeJS.Dict<string | string[]>;
    body: { to: string[]; headers: Record<string, string> };
  }[] = [];
  /** Starts a provider that answers every call in this way. */
  const provide = async (status: number, body: object) => {
    const provider = createServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      calls.push({ headers: request.headers, body: JSON.parse(text) });
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    onTestFinished(() => void provider.close());
    const RESEND_BASE_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    owner.describeStack({ values: { ...owner.settings.values, RESEND_BASE_URL } });
  };
  const test = (email = 'me@example.com') => run('--to', email);
  const linkOf = (call = calls.at(-1)!) =>
    new URL(/<([^>]+)>/.exec(call.body.headers['List-Unsubscribe']!)![1]!);

  it('goes straight to the provider, in the form of the real one, and touches no queue', async () => {
    await add('me', 'waiting');
    await queue('news');
    const before = await sql`select * from private.outbox order by id`;
    await provide(200, { id: 'message-1' });
    expect(await test()).toMatchObject({
      status: 0,
      stdout: 'Sent to me@example.com: one test message. Nobody else got it.\n',
    });
    expect(calls.at(-1)!.body).toMatchObject({
      to: ['me@example.com'],
      subject,
      from: owner.settings.values.PUBLIC_EMAIL_SENDER,
    });
    const TOKEN_SECRET = owner.settings.values.TOKEN_SECRET!;
    const token = await makeUnsubscribeToken((await idOf('me@example.com'))!, TOKEN_SECRET);
    expect(linkOf().searchParams.get('token')).toBe(token);
    expect(await sql`select * from private.outbox order by id`).toEqual(before);
    await test('stranger@example.com');
    const id = await readUnsubscribeToken(linkOf().searchParams.get('token')!, [TOKEN_SECRET]);
    expect(await sql`select is_unsubscribed from unsubscribe_member(${id!})`).toEqual([
      { is_unsubscribed: false },
    ]);
  });

  it.each([
    [401, { name: 'restricted_api_key' }, 'Resend answered 401 (restricted_api_key)'],
    [451, { name: 'security_error' }, 'Resend answered 451 (security_error)'],
    [429, { name: 'daily_quota_exceeded' }, 'Resend answered 429 (daily_quota_exceeded)'],
  ])('says what the provider answered, and holds up nothing: %i', async (status, body, said) => {
    await provide(status, body);
    const pace = await sql`select * from private.pace`;
    expect((await test()).stderr).toBe(`Not sent to me@example.com: ${said}. It will not be tried again.\n`);
    expect(await sql`select * from private.pace`).toEqual(pace);
  });

  it('is not sent to an address that is never mailed', async () => {
    await provide(200, { id: 'message-1' });
    await add('me');
    await neverMail('me@example.com');
    const sent = calls.length;
    expect((await test()).stderr).toContain('"forgive me@example.com" changes that');
    expect(calls).toHaveLength(sent);
  });
});
