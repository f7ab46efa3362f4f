import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { readMembers } from '../../owner/commands/members.ts';
import { Waitlist } from '../../owner/waitlist-client.ts';
import { startOwner } from './command-line.ts';
import { holdOpen } from './hold-open.ts';

const size = 100_000;
const { owner, sql } = startOwner();

beforeAll(async () => {
  await sql`
    insert into waitlist_emails (email, created_at, source, accepted)
    select 'member' || number || '@example.com', timestamptz '2026-01-01' + number * interval '1.000001 seconds',
      'landing_page', true
    from generate_series(1, ${size}::int) as number`;
  await sql`
    insert into private.outbox (email, state, sent_at, email_hash)
    select email, 'sent', created_at, md5(email) from waitlist_emails`;
  // Rows of other members, who have left.
  await sql`
    insert into private.never_mailed select md5(number::text) from generate_series(1, 10000) as number`;
}, 120_000);

describe('a list of 100,000 members', { timeout: 120_000 }, () => {
  it('is written completely, with each member once, in no more memory than a short list needs', async () => {
    const { status, stderr } = await owner.run(['export', '--json', '--output', 'crowd.jsonl'], {
      // All rows at once would need more memory than this.
      NODE_OPTIONS: '--max-old-space-size=24',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'Written to crowd.jsonl: 100,000 members.\n' });
    const seen = new Set<string>();
    let previous = '';
    const lines = readFileSync(join(owner.folder, 'crowd.jsonl'), 'utf8').trimEnd().split('\n');
    for (const line of lines) {
      const { email, created_at } = JSON.parse(line);
      expect(created_at > previous).toBe(true);
      previous = created_at;
      seen.add(email);
    }
    expect(seen.size).toBe(size);
  });

  it('is fetched one page at a time, as it is read', async () => {
    let calls = 0;
    const counted = globalThis.fetch;
    globalThis.fetch = (...call) => (calls++, counted(...call));
    try {
      const pages = readMembers(new Waitlist(owner.project));
      expect(calls).toBe(0);
      for (const taken of [1, 2, 3]) {
        expect((await pages.next()).value).toHaveLength(1000);
        expect(calls).toBe(taken);
      }
    } finally {
      globalThis.fetch = counted;
    }
  });

  it('ends quietly when the program that reads it stops, such as head', async () => {
    for (const args of [['list'], ['list', '--json'], ['export']]) {
      const child = owner.spawn(args);
      let complaint = '';
      child.stderr!.on('data', (chunk) => (complaint += chunk));
      const ended = once(child, 'close');
      await once(createInterface({ input: child.stdout! }), 'line');
      child.stdout!.destroy();
      expect(await ended).toEqual([0, null]);
      expect(complaint).toBe('');
    }
  });

  it.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('leaves no partial file behind after %s', async (signal, status) => {
    const { folder } = owner;
    const before = readdirSync(folder);
    // Otherwise the export could be complete before the signal.
    const held = await holdOpen(sql, (open) => open`lock table waitlist_emails`);
    const child = owner.spawn(['export', '--output', 'broken.csv']);
    const ended = once(child, 'exit');
    const hasBegun = await waitUntil(() => readdirSync(folder).length > before.length, 30_000);
    child.kill(signal);
    const end = await ended;
    await held.commit();
    expect({ hasBegun, end }).toEqual({ hasBegun: true, end: [status, null] });
    expect(readdirSync(folder)).toEqual(before);
  });
});
