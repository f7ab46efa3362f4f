import { describe, expect, it } from 'vitest';
import {
  accept,
  entry,
  holdOpen,
  idOf,
  join,
  leaseNow,
  mailboxOf,
  members,
  pass,
  queue,
  report,
  sendAll,
  somebodyWaits,
  sql,
  unsubscribe,
} from './sign-ups.ts';

const outbox = () => sql`select from private.outbox where member is not null and left_at is null`;
const left = () => sql`select member, announcement from private.outbox where left_at is not null`;

describe('an accepted address', () => {
  it('gets the same answer the second time, and keeps its first welcome, id and token', async () => {
    await accept('name@example.com');
    const first = await entry('name@example.com');
    expect(await accept('name@example.com')).toBe('accepted');
    expect(await entry('name@example.com')).toEqual(first);
    expect(await sendAll()).toEqual(['welcome to name@example.com']);
    await accept('name@example.com');
    expect(await sendAll()).toEqual([]);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('waits while the same address is leaving, but not while another one is', async () => {
    await accept('a@example.com', { caller: 'one', mailbox: 'one' });
    const id = await idOf('a@example.com');
    const leaving = await holdOpen((open) => open`select unsubscribe_member(${id!})`);
    expect(await accept('b@example.com', { caller: 'one', mailbox: 'one' })).toBe('accepted');
    const returning = accept('a@example.com');
    const isWaiting = await somebodyWaits();
    await leaving.commit();
    expect(isWaiting).toBe(true);
    await returning;
    expect(await members()).toEqual(['a@example.com', 'b@example.com']);
    expect(await entry('a@example.com')).toMatchObject({ state: 'waiting' });
  });
});

describe('leaving', () => {
  it('removes every spelling of the mailbox from the list and the outbox, and nobody else', async () => {
    await join('name@example.com', 'other@example.com');
    await accept('name+tag@example.com', { mailbox: mailboxOf('name@example.com') });
    const id = await idOf('name@example.com');
    expect(await unsubscribe(crypto.randomUUID())).toBe(false);
    expect(await unsubscribe(id)).toBe(true);
    expect(await members()).toEqual(['other@example.com']);
    expect(await outbox()).toHaveLength(1);
    // The other spelling was sent nothing.
    expect(await left()).toEqual([{ member: id, announcement: null }]);
    expect(await unsubscribe(id)).toBe(true);
    expect(await sql`select sum(unsubscribed)::int from private.hours`).toEqual([{ sum: 1 }]);
  });

  it('answers later clicks like the first, for 30 days, and then leaves nothing behind', async () => {
    await accept('name@example.com');
    // A message may have arrived even if the provider's answer was lost.
    await leaseNow();
    const id = await idOf('name@example.com');
    expect([await unsubscribe(id), await unsubscribe(id)]).toEqual([true, true]);
    await pass('29 days');
    expect(await unsubscribe(id)).toBe(true);
    await pass('1 day');
    expect(await unsubscribe(id)).toBe(false);
    expect(await left()).toEqual([]);
  });

  it.each(['name@example.com', 'name+tag@example.com'])(
    'works with the old link, too, when the mailbox came back as %s',
    async (returning) => {
      await join('name@example.com');
      const id = await idOf('name@example.com');
      await unsubscribe(id);
      await accept(returning, { mailbox: mailboxOf('name@example.com') });
      expect(await unsubscribe(id)).toBe(true);
      expect(await members()).toEqual([]);
      await accept(returning, { mailbox: mailboxOf('name@example.com') });
      expect(await unsubscribe(await idOf(returning))).toBe(true);
      expect(await members()).toEqual([]);
    },
  );

  it('forgets the member and keeps what was sent, even if somebody deletes the row in the table editor', async () => {
    await join('name@example.com');
    await queue();
    await sendAll();
    await report('delivered', 'name@example.com');
    await sql`delete from waitlist_emails`;
    expect(await outbox()).toEqual([]);
    expect(await sql`select from private.members`).toEqual([]);
    // What they got before they left still counts.
    await join('name@example.com');
    await queue();
    expect(await sendAll()).toEqual([]);
  });
});
