import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeUnsubscribeToken, readUnsubscribeToken } from '../../functions/_shared/unsubscribe-token.ts';
import { type Behavior, Provider } from '../functions/provider.ts';
import { owner } from './command-line.ts';
import { addMembers, change, idOf, neverMail, queue, queued, report, sql, template } from './sign-ups.ts';

// tests/unit/announcement-file.test.ts reads real ones.
const { readAnnouncement } = vi.hoisted(() => ({ readAnnouncement: vi.fn() }));
vi.mock('../../ops/announcement.ts', async (load) => ({
  ...(await load<typeof import('../../ops/announcement.ts')>()),
  readAnnouncement,
}));

const write = (subject: string, warnings: string[] = []) =>
  readAnnouncement.mockResolvedValue({ template: { ...JSON.parse(template), subject }, warnings });
const { subject } = JSON.parse(template) as { subject: string };
const add = (...names: string[]) => addMembers(names.map((name) => `${name}@example.com`));
const run = (...args: string[]) => owner.run(['announce', 'news', ...args]);

beforeEach(() => write(subject));

describe('announce', () => {
  it('shows the warnings, what it would do and whom it skips, asks, and changes nothing if the answer is no', async () => {
    write(subject, ['news.mdx:7  Is [First Name] meant?']);
    await add('gone', ...Array.from({ length: 240 }, (_, place) => `member${place}`));
    await neverMail('gone@example.com');
    await queue('older');
    await addMembers(['new@example.com'], { state: 'waiting' });
    await addMembers(['nobody@example.com'], { state: 'refused' });
    await change('nobody@example.com', { tries: 1 });
    const { status, screen } = await owner.run(['announce', 'news'], { answer: 'n\n' });
    expect(screen.split('\n').map((line) => line.replace(/\s{2,}/g, ' | '))).toEqual([
      `news: ${subject}`,
      'news.mdx:7 | Is [First Name] meant?',
      'recipients | 240 | about 5 minutes (at most 2 a second), including what waits',
      'queued before | 0 | already sent, waiting or refused',
      'skipped | 1 | their welcome waits: a later run or wave adds them',
      'skipped | 1 | their welcome was refused',
      'skipped | 1 | bounced permanently, complained or were barred',
      "Resend's free plan sends 100 messages a day, which takes 3 days.",
      'Send news to 240 members? [y/N] Nothing was changed.',
      '',
    ]);
    expect(status).toBe(1);
    expect(await queued('news')).toEqual([]);
    await sql`insert into private.outbox (member, announcement) select gen_random_uuid(), 'older' from generate_series(1, 18760)`;
    expect((await run()).stdout).toMatch(/\nrecipients +240 +about 4 hours /);
  });

  it('queues the message if the answer is yes, and says when nobody is left', async () => {
    expect((await run()).stdout).toMatch(/\nrecipients +0\n[^]*\nQueued: 0 messages\.\n$/);
    await add('a', 'b');
    const { status, stdout } = await owner.run(['announce', 'news'], { answer: 'y\n' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Queued: 2 messages.') });
    expect(await queued('news')).toEqual(['a@example.com', 'b@example.com']);
  });

  it('invites until --first members have it, in the order in which they joined, so that a wave can be run again', async () => {
    await add('c', 'bounced', 'a', 'b', 'd');
    await neverMail('bounced@example.com');
    for (const args of [['--first', '2'], ['--json']])
      expect(await run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('Add --yes.') });
    const wave = (first: string) => owner.read('announce', 'news', '--first', first, '--yes');
    expect(await wave('2')).toMatchObject({ recipients: 2, queued_before: 0, queued: 2 });
    expect(await wave('2')).toMatchObject({ recipients: 0, queued_before: 2, queued: 0 });
    await change('c@example.com', { state: 'sent' }, 'news');
    await owner.read('remove', 'c@example.com', '--yes');
    expect(await wave('2')).toMatchObject({ recipients: 1, queued_before: 1, queued: 1 });
    expect(await queued('news')).toEqual(['a@example.com', 'b@example.com']);
    expect(await wave('9')).toMatchObject({ recipients: 1, never_mailed: 1, queued: 1 });
  });

  it('refuses words that changed after it was queued, or while it asks', async () => {
    await add('a');
    const changed = { status: 1, stderr: expect.stringContaining('its message has changed since then') };
    const before = () => queue('news');
    write('Other news');
    expect(await owner.run(['announce', 'news'], { answer: 'y\n', before })).toMatchObject(changed);
    await add('b');
    expect(await run('--yes')).toMatchObject({ ...changed, stdout: '' });
    expect(await queued('news')).toEqual(['a@example.com']);
  });

  it.each([
    ['--to', 'me@example.com', '--yes'],
    ['--watch', '--stop'],
    ['--to', 'nobody'],
    ['--first', '0'],
  ])('refuses options that exclude each other, and wrong values: %s %s %s', async (...args) => {
    const { status, stderr } = await run(...args);
    expect(stderr).toMatch(/Use one of --to, --first|leave out --yes|Give one address|whole number/);
    expect(status).toBe(2);
    expect(await sql`select from private.announcements`).toHaveLength(0);
  });
});

describe('a queued announcement', () => {
  it('stops and resumes, and says why it had stopped itself, but not that nothing has been sent', async () => {
    await add('a');
    const stderr = expect.stringMatching(/^news has not been queued/);
    expect(await run('--stop')).toMatchObject({ status: 2, stderr });
    await queue('news');
    await change('a@example.com', { tries: 1, accepted_at: new Date(0) }, 'news'); // long due
    expect((await run('--stop')).stdout).toMatch(/^Stopped\. "announce news --resume"/);
    expect((await run('--watch')).status).toBe(0);
    await sql`update private.announcements set stopped_because = '9 of 10 messages bounced'`;
    expect((await run()).stdout).toContain('stopped because 9 of 10 messages bounced, 1 message left');
    const { stdout, ...watched } = await run('--watch');
    expect(stdout).toMatch(/^news sent +0 .*\nnews is stopped because 9 of 10 .* "announce news --resume"/);
    expect(watched).toMatchObject({ status: 1, stderr: expect.stringMatching(/^news is stopped\./) });
    const { screen } = await owner.run(['announce', 'news', '--resume'], { answer: 'y\n' });
    expect(screen).toMatch(/^Send news to 1 more member\?.*Resumed\./s);
    expect(await sql`select is_stopped from private.announcements`).toEqual([{ is_stopped: false }]);
  });

  it('says before the next wave that it is stopped, even if nothing waits', async () => {
    await add('a');
    await queue('news');
    await change('a@example.com', { state: 'sent' }, 'news');
    await add('b');
    await sql`update private.announcements set is_stopped = true, stopped_because = '10 of 99 messages bounced'`;
    const { screen } = await owner.run(['announce', 'news', '--first', '2'], { answer: 'n\n' });
    expect(screen).toMatch(/news is stopped because 10 of 99 .* 1 message left: .*--resume.*\nSend news to/);
  });

  it('is discarded after a stop: what waits is deleted, and who got it stays recorded', async () => {
    await add('a', 'b', 'c');
    await queue('news');
    await change('a@example.com', { state: 'sent' }, 'news');
    await change('b@example.com', { uncertain_since: new Date() }, 'news');
    expect((await run('--discard', '--yes')).stderr).toContain('news is not stopped.');
    await run('--stop');
    const { screen } = await owner.run(['announce', 'news', '--discard'], { answer: 'y\n' });
    expect(screen).toMatch(/^Discard 2 messages of news\? \[y\/N\] Discarded: 1 message\.\n$/);
    expect(await queued('news')).toEqual(['a@example.com', 'b@example.com']);
  });

  it('is watched until all is done', async () => {
    await add('a', 'b');
    await queue('news');
    await change('a@example.com', { state: 'sent', provider_id: 'news to a' }, 'news');
    await change('b@example.com', { state: 'refused' }, 'news');
    for (const kind of ['bounced', 'complained'] as const)
      await report(kind, 'a@example.com', { message: 'news to a' });
    const { status, stdout } = await run('--watch');
    expect(stdout).toMatch(/^news sent +1 {3}0 waiting, 1 refused, 0 unknown, 1 bounced, 1 complained\n$/);
    expect(status).toBe(0);
  });
});

describe('a test message', () => {
  const provider = new Provider();
  beforeAll(() => provider.listen());
  afterAll(() => provider.close());
  /** Sends one to a provider that answers in this way. */
  const test = (email = 'me@example.com', behavior: Behavior = 'take') => {
    provider.plan = [behavior];
    owner.describeStack({ values: { ...owner.settings.values, RESEND_BASE_URL: provider.url } });
    return run('--to', email);
  };
  const tokenOf = (email: string) =>
    /token=([\w-]+)/.exec(provider.to(email).at(-1)!.headers['List-Unsubscribe']!)![1]!;

  it('goes straight to the provider, in the form of the real one, and touches no queue', async () => {
    await add('me', 'waiting');
    await queue('news');
    const before = await sql`select * from private.outbox order by id`;
    expect(await test()).toMatchObject({
      status: 0,
      stdout: 'Sent to me@example.com: one test message. Nobody else got it.\n',
    });
    const { TOKEN_SECRET, PUBLIC_EMAIL_SENDER: from } = owner.settings.values;
    expect(provider.delivered).toMatchObject([{ to: ['me@example.com'], subject, from }]);
    const id = (await idOf('me@example.com'))!;
    expect(tokenOf('me@example.com')).toBe(makeUnsubscribeToken(id, TOKEN_SECRET!));
    expect(await sql`select * from private.outbox order by id`).toEqual(before);
    await test('stranger@example.com');
    const stranger = readUnsubscribeToken(tokenOf('stranger@example.com'), [TOKEN_SECRET!]);
    expect(await sql`select from private.members where id = ${stranger!}`).toHaveLength(0);
  });

  it('says what the provider answered, and holds up nothing', async () => {
    const pace = await sql`select * from private.pace`;
    const { stderr } = await test('me@example.com', { status: 401, name: 'restricted_api_key' });
    expect(stderr).toMatch(
      /^Resend did not confirm the message to me@example\.com: .* 401 \(restricted_api_key\)\.\n$/,
    );
    expect(await sql`select * from private.pace`).toEqual(pace);
  });

  it('is not sent to an address that is never mailed, even if nobody signed it up', async () => {
    await owner.read('bar', 'me@example.com');
    const { calls } = provider;
    expect((await test()).stderr).toContain('"forgive me@example.com" changes that');
    expect(provider.calls).toBe(calls);
  });
});
