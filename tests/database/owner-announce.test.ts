import { once } from 'node:events';
import { globSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { SiteCopy } from '../build/site-copy.ts';
import { addMessages, clear, joinAndSend, join, queued, sql } from './announcements.ts';
import { startOwner } from './command-line.ts';

const site = new SiteCopy({ others: ['owner', 'deploy', 'local', 'probe'] });
const { owner } = startOwner(site.folder);
const news = 'content/announcements/news.mdx';
const write = (subject = 'Big news', draft = '') =>
  site.write(
    news,
    `---\n${draft}subject: ${subject}\npreview: Read this\n---\n\nWords.\n\n[Open](https://elsewhere.example)\n`,
  );

beforeAll(() => write());
beforeEach(clear);
afterEach(() => owner.describeStack());
afterAll(async () => {
  site.remove();
  await sql.end();
});

const announce = (...args: string[]) => owner.run(['announce', 'news', ...args]);
const neverMail = (email: string) => sql`insert into private.never_mailed values (${`hash of ${email}`})`;

describe('announce', () => {
  it('shows what it would do, asks, and changes nothing if the answer is no', async () => {
    await joinAndSend('a@example.com', 'b@example.com', 'gone@example.com');
    await join('new@example.com');
    await join('newer@example.com');
    await sql`
      insert into private.outbox (email, state)
      select 'member' || number || '@example.com', 'sent' from generate_series(1, 236) as number`;
    await neverMail('gone@example.com');
    const { status, screen } = await owner.type(['announce', 'news'], 'n\r');
    const lines = screen.split('\r\n').map((line) => line.replace(/\s{2,}/g, ' | '));
    expect(lines.slice(0, 4)).toEqual([
      'news: Big news',
      "recipients | 240 | about 3 minutes at 2 a second; about 3 days at 100 a day (Resend's free plan)",
      'skipped | 1 | bounced permanently or complained',
      'waiting welcomes | 2 | are sent first',
    ]);
    expect(screen).toContain('Send news to 240 members? [y/N]');
    const { screen: withJson } = await owner.type(['announce', 'news', '--json'], 'n\r');
    expect(withJson).toMatch(/recipients +240 [^]*Send news to 240 members\? \[y\/N\]/);
    expect(screen).toContain('Nothing was changed.');
    expect(status).toBe(1);
    expect(await queued('news')).toEqual([]);
  });

  it('queues the message in the file for every member if the answer is yes', async () => {
    await joinAndSend('a@example.com', 'b@example.com');
    const { status, screen } = await owner.type(['announce', 'news'], 'y\r');
    expect(screen).toContain('Queued: 2 messages. "announce news --watch" shows the progress.');
    expect(status).toBe(0);
    expect(await queued('news')).toEqual(['a@example.com', 'b@example.com']);
    const [stored] = await sql`select message from private.announcements where name = 'news'`;
    const { subject, html, text } = JSON.parse(stored!['message']);
    expect(subject).toBe('Big news');
    expect(html).toMatch(/href="https:\/\/elsewhere\.example"[^>]*>Open</);
    expect(html).toContain('href="{{leaveUrl}}"');
    expect(text).toContain('Unsubscribe {{leaveUrl}}');
  });

  it('reports what it queued as JSON', async () => {
    await joinAndSend('a@example.com');
    expect(await owner.read('announce', 'news', '--yes')).toEqual({
      name: 'news',
      subject: 'Big news',
      recipients: 1,
      queued_before: 0,
      never_mailed: 0,
      queued: 1,
    });
  });

  it('adds only members who joined since, when it is run again or several times at once', async () => {
    await joinAndSend('a@example.com');
    await announce('--yes');
    await joinAndSend('b@example.com');
    const [one, other] = await Promise.all([announce('--yes', '--json'), announce('--yes', '--json')]);
    const counts = [one, other].map(({ stdout }) => (JSON.parse(stdout) as { queued: number }).queued);
    expect(counts.toSorted()).toEqual([0, 1]);
    expect(await queued('news')).toEqual(['a@example.com', 'b@example.com']);
  });

  it('says that there is nobody left', async () => {
    await joinAndSend('a@example.com', 'b@example.com');
    await announce('--yes');
    const { status, stdout } = await announce();
    expect(stdout.replace(/\s{2,}/g, ' | ')).toContain('queued before | 2 | already sent or waiting');
    expect(stdout).toContain('There is nobody left to send it to.');
    expect(status).toBe(0);
  });

  it('needs --yes without a terminal', async () => {
    await joinAndSend('a@example.com');
    const { status, stderr } = await announce();
    expect(stderr).toBe('Send news to 1 member? There is no terminal to answer in. Add --yes.\n');
    expect(status).toBe(2);
    expect(await queued('news')).toEqual([]);
  });

  it('shows that an announcement is stopped', async () => {
    await joinAndSend('a@example.com');
    await announce('--yes');
    await announce('--stop');
    const { stdout } = await announce();
    expect(stdout).toContain('\nIt is stopped. "announce news --resume" continues it.\n');
  });

  it('refuses a message that was queued with different words in the meantime', async () => {
    await joinAndSend('a@example.com');
    const { status, screen } = await owner.type(
      ['announce', 'news'],
      'y\r',
      () => sql`select queue_announcement('news', '{"subject":"","html":"","text":""}')`,
    );
    expect(screen).toMatch(/\nnews is already queued, and its message has changed since/);
    expect(status).toBe(1);
  });

  it('refuses a message that changed after it was queued', async () => {
    await joinAndSend('a@example.com');
    await announce('--yes');
    await joinAndSend('b@example.com');
    write('Other news');
    const { status, stderr } = await announce();
    write();
    expect(stderr).toMatch(
      /^news is already queued, and its message has changed since then:.* Undo the change, or write/,
    );
    expect(status).toBe(1);
    expect(await queued('news')).toEqual(['a@example.com']);
  });

  it.each([
    ['local', [], {}],
    ['local', ['--yes'], {}],
    ['local', ['--to', 'me@example.com'], {}],
    ['hosted', ['--yes'], { apiUrl: 'https://abc.supabase.co' }],
  ])('refuses a draft for a %s list: %j', async (_, args, changes) => {
    write('Big news', 'draft: true\n');
    owner.describeStack(changes);
    const { status, stderr } = await announce(...args);
    write();
    expect(stderr).toBe(
      `${news} is a draft, and a draft cannot be sent. When the words are final, remove the line "draft: true".\n`,
    );
    expect(status).toBe(2);
    expect(await sql`select from private.announcements`).toHaveLength(0);
  });

  it('never shows a placeholder to the members of a hosted project', async () => {
    owner.describeStack({ apiUrl: 'https://abc.supabase.co' });
    const { status, stderr } = await announce('--yes');
    expect(stderr).toMatch(/^news shows a placeholder: replace [\w.]+\.example with your own\.\n$/);
    expect(status).toBe(1);
    site.edit(news, 'Words.', 'Call <SupportPhone />.');
    const called = await announce('--yes');
    write();
    expect(called.stderr).toMatch(/^PUBLIC_SUPPORT_PHONE is missing, but the announcement needs it\./);
    expect(called.status).toBe(1);
  });

  it('lists the mistakes of the file, and queues nothing', async () => {
    await joinAndSend('a@example.com');
    site.edit(news, 'Words.', '[Read](/abuot) it.');
    const { status, stderr } = await announce('--yes');
    write();
    expect(stderr).toContain(`${news}:6  There is no page /abuot. Did you mean /about?`);
    expect(status).toBe(1);
    expect(await queued('news')).toEqual([]);
  });

  it.each([[], ['--watch'], ['--stop'], ['--resume']])(
    'suggests the announcement that was probably meant: %j',
    async (...args) => {
      const { status, stderr } = await owner.run(['announce', 'mews', ...args]);
      expect(stderr).toBe('There is no announcement "mews". Did you mean news?\n');
      expect(status).toBe(2);
    },
  );

  it('says where to write the first announcement', async () => {
    for (const file of globSync('content/announcements/*', { cwd: site.folder })) site.delete(file);
    const { status, stderr } = await announce();
    write();
    expect(stderr).toBe(
      'There is no announcement "news". Write one in content/announcements/ (docs/editing.md).\n',
    );
    expect(status).toBe(2);
  });

  it.each([
    ['--to', 'me@example.com', '--yes'],
    ['--to', 'me@example.com', '--watch'],
    ['--watch', '--stop'],
    ['--stop', '--resume'],
    ['--resume', '--yes'],
    ['--to', 'nobody'],
  ])('refuses options that exclude each other, and a wrong address: %s %s %s', async (...args) => {
    await joinAndSend('a@example.com');
    const { status, stderr } = await announce(...args);
    expect(stderr).toMatch(/Use only one of --to, --watch|Give one address/);
    expect(status).toBe(2);
    expect(await sql`select from private.announcements`).toHaveLength(0);
  });
});

describe('announce --to', () => {
  const test = async () => (await sql`select entry.id, email, message from private.outbox entry`)[0];

  it.each([
    ['sent', null, 0],
    ['refused', 'Resend answered 422 (validation_error)', 1],
  ])('waits until the test is %s, and leaves nothing behind', async (state, problem, expected) => {
    const child = owner.spawn(['announce', 'news', '--to', 'Me@example.com', '--json']);
    const ended = once(child, 'close');
    const printed = child.stdout!.toArray();
    await waitUntil(async () => Boolean(await test()), 20_000);
    expect(await test()).toMatchObject({ email: 'me@example.com' });
    await sql`update private.outbox set state = ${state}, last_problem = ${problem}`;
    expect(await ended).toEqual([expected, null]);
    const output = JSON.parse(Buffer.concat(await printed).toString());
    expect(output).toEqual({ name: 'news', email: 'me@example.com', state, problem });
    expect(await sql`select from private.announcements`).toHaveLength(0);
    expect(await sql`select from private.outbox`).toHaveLength(0);
    expect(await sql`select from waitlist_emails`).toHaveLength(0);
  });

  it('reports why the test was not sent', async () => {
    const child = owner.spawn(['announce', 'news', '--to', 'me@example.com']);
    const ended = once(child, 'close');
    const printed = child.stderr!.toArray();
    await waitUntil(async () => Boolean(await test()), 20_000);
    await sql`update private.outbox set state = 'refused', last_problem = 'Resend answered 422'`;
    expect(await ended).toEqual([1, null]);
    expect(Buffer.concat(await printed).toString()).toBe(
      'Not sent to me@example.com: Resend answered 422. It will not be sent later.\n',
    );
  });

  it('deletes the test after Ctrl-C', async () => {
    const child = owner.spawn(['announce', 'news', '--to', 'me@example.com']);
    const ended = once(child, 'close');
    await waitUntil(async () => Boolean(await test()), 20_000);
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(await sql`select from private.announcements`).toHaveLength(0);
  });
});

describe('announce --watch', () => {
  it('shows the progress until every message is done', async () => {
    await joinAndSend('a@example.com', 'b@example.com', 'c@example.com', 'd@example.com');
    await sql`select queue_announcement('news', '{"subject":"","html":"","text":""}')`;
    await addMessages('news');
    for (const kind of ['bounced', 'complained'])
      await sql`
        insert into private.delivery_events (id, message, delivery, kind, at)
        select ${kind} || id, 'message', id, ${kind}, now() from private.outbox
        where email < ${kind === 'bounced' ? 'c' : 'b'} and (announcement = 'news' or email like 'b%')`;
    await sql`update private.outbox set state = 'sent' where announcement = 'news' and email = 'a@example.com'`;
    const child = owner.spawn(['announce', 'news', '--watch']);
    const ended = once(child, 'close');
    let output = '';
    child.stdout!.on('data', (chunk) => (output += chunk));
    await waitUntil(() => output.includes('\n'), 20_000);
    expect(output).toBe('1 sent, 3 waiting, 0 failed, about 1 minute at 2 a second\n');
    // In one statement, because the command may look at any time.
    await sql`
      update private.outbox set state = changed.state::private.delivery_state
      from (values ('b@example.com', 'refused'), ('c@example.com', 'unknown'), ('d@example.com', 'sent')) as changed (email, state)
      where announcement = 'news' and outbox.email = changed.email`;
    expect(await ended).toEqual([0, null]);
    expect(output.split('\n').slice(1)).toEqual([
      '2 sent, 0 waiting, 2 failed',
      '"outbox" says why messages failed, and "retry" queues them again.',
      '2 bounced and 1 complained so far.',
      '',
    ]);
    const done = { sent: 2, waiting: 0, refused: 1, unknown: 1, bounced: 2, complained: 1 };
    expect(await owner.read('announce', 'news', '--watch')).toMatchObject(done);
  });

  it('shows that it is stopped, or that it is paused and why', async () => {
    await joinAndSend('a@example.com');
    await sql`select queue_announcement('news', '{"subject":"","html":"","text":""}')`;
    await addMessages('news');
    const readLine = async () => {
      const child = owner.spawn(['announce', 'news', '--watch']);
      const [line] = await once(child.stdout!, 'data');
      child.kill('SIGKILL');
      await once(child, 'close');
      return String(line);
    };
    await sql`update private.pace set next_delivery_at = '2099-01-01T00:00:00Z'`;
    await sql`update private.outbox set last_problem = 'Resend answered 429 (daily_quota_exceeded)' where announcement = 'news'`;
    expect(await readLine()).toBe(
      '0 sent, 1 waiting, 0 failed, paused until 2099-01-01T00:00:00Z: Resend answered 429 (daily_quota_exceeded)\n',
    );
    expect(await announce('--stop')).toEqual({
      status: 0,
      stdout: 'Stopped. 1 message left; "announce news --resume" sends them.\n',
      stderr: '',
    });
    expect(await readLine()).toBe('0 sent, 1 waiting, 0 failed, stopped\n');
    expect((await announce('--resume')).stdout).toBe('Resumed. 1 message left.\n');
    expect(await readLine()).toMatch('0 failed, paused until');
    for (const [option, isStopped] of [
      ['--stop', true],
      ['--resume', false],
    ] as const)
      expect(await owner.read('announce', 'news', option)).toEqual({
        name: 'news',
        is_stopped: isStopped,
        waiting: 1,
      });
  });

  it.each([['--watch'], ['--stop'], ['--resume']])(
    'reports that nothing has been queued yet: %s',
    async (option) => {
      expect(await announce(option)).toEqual({
        status: 2,
        stdout: '',
        stderr: 'news has not been queued yet. "announce news" queues it.\n',
      });
    },
  );
});
