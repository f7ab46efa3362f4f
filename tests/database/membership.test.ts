import { describe, expect, it } from 'vitest';
import { holdOpen, somebodyWaits } from './hold-open.ts';
import {
  accept,
  entry,
  join,
  leaseNow,
  unsubscribe,
  members,
  queue,
  report,
  sendAll,
  sql,
  tokenOf,
} from './sign-ups.ts';

const outbox = () => sql`select from private.outbox where member is not null`;

describe('an accepted address', () => {
  it('gets the same answer the second time, and keeps its first welcome, id and token', async () => {
    await accept('name@example.com');
    const first = await entry('name@example.com');
    const again = await accept('name@example.com', { token: 'another token' });
    expect(again).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await entry('name@example.com')).toEqual(first);
    expect(await sendAll()).toEqual(['welcome to name@example.com']);
    await accept('name@example.com');
    expect(await sendAll()).toEqual([]);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('waits while the same address is leaving, but not while another one is', async () => {
    await accept('a@example.com', { caller: 'one', mailbox: 'one' });
    const leaving = await holdOpen((open) => open`select unsubscribe_member(${tokenOf('a@example.com')})`);
    expect(await accept('b@example.com', { caller: 'one', mailbox: 'one' })).toMatchObject({
      outcome: 'accepted',
    });
    const returning = accept('a@example.com');
    const isWaiting = await somebodyWaits();
    await leaving.commit();
    expect(isWaiting).toBe(true);
    await returning;
    expect(await members()).toEqual(['a@example.com', 'b@example.com']);
    expect(await entry('a@example.com')).toMatchObject({ state: 'waiting' });
  });

  it('is not accepted at all when its welcome is missing or malformed', async () => {
    for (const message of [null, '{}', '{"subject":"x","html":"x"}', 'not JSON'])
      await expect(accept('name@example.com', { message })).rejects.toThrow();
    expect(await members()).toEqual([]);
    expect(await sql`select from private.calls`).toHaveLength(0);
  });

  it('stores a text once, however many members get it', async () => {
    const message = '{"subject":"a","html":"b","text":"c"}';
    for (const name of ['a', 'b', 'c']) await accept(`${name}@example.com`, { message });
    expect(await sql`select message from private.templates`).toEqual([{ message }]);
    const { template } = (await leaseNow())!;
    expect(await sql`select * from find_template(${template})`).toEqual([{ message }]);
  });
});

describe('leaving', () => {
  it('removes the member with this token from the list and the outbox, and nobody else', async () => {
    await accept('name@example.com');
    await accept('other@example.com');
    expect(await unsubscribe(tokenOf('name@example.com'))).toBe(true);
    expect(await members()).toEqual(['other@example.com']);
    expect(await outbox()).toHaveLength(1);
    expect(await unsubscribe('another token')).toBe(false);
    expect(await unsubscribe('other@example.com')).toBe(false);
    expect(await members()).toEqual(['other@example.com']);
  });

  it('answers a second click like the first, for ten minutes, and then leaves nothing behind', async () => {
    await accept('name@example.com');
    const token = tokenOf('name@example.com');
    expect([await unsubscribe(token), await unsubscribe(token)]).toEqual([true, true]);
    await sql`update private.used_tokens set used_at = used_at - interval '11 minutes'`;
    expect(await unsubscribe(token)).toBe(false);
    await sql`select lease_delivery()`;
    expect(await sql`select from private.used_tokens`).toEqual([]);
  });

  it('does nothing, and says so, when a member who came back uses the old link', async () => {
    await accept('name@example.com');
    await unsubscribe(tokenOf('name@example.com'));
    await accept('name@example.com', { token: 'new token' });
    expect(await unsubscribe(tokenOf('name@example.com'))).toBe(false);
    expect(await members()).toEqual(['name@example.com']);
    expect(await unsubscribe('new token')).toBe(true);
    expect(await members()).toEqual([]);
  });

  it('keeps a member who comes back while a click on the old link is processed', async () => {
    await accept('name@example.com');
    const back = await holdOpen(async (open) => {
      await open`select unsubscribe_member(${tokenOf('name@example.com')})`;
      await accept('name@example.com', { token: 'new token' }, open);
    });
    const clicked = unsubscribe(tokenOf('name@example.com'));
    expect(await somebodyWaits()).toBe(true);
    await back.commit();
    expect(await clicked).toBe(false);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('takes messages and events along, even if somebody deletes the row in the table editor', async () => {
    await join('name@example.com');
    await queue();
    await report('delivered', 'name@example.com');
    await sql`delete from waitlist_emails`;
    expect(await outbox()).toEqual([]);
    expect(await sql`select from private.members`).toEqual([]);
    expect(await sql`select from private.delivery_events`).toEqual([]);
    // A member who comes back gets an announcement only if it is queued again.
    await join('name@example.com');
    expect(await sendAll()).toEqual([]);
    await queue();
    expect(await sendAll()).toEqual(['launch to name@example.com']);
  });
});
