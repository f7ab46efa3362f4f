import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';
import { accept, entry, leaseNow, leave, members, record, sql } from './sign-ups.ts';

describe('an accepted address', () => {
  it('is on the list, and its welcome is in the outbox, in one transaction', async () => {
    expect(await accept('name@example.com')).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await members()).toEqual(['name@example.com']);
    expect(await entry('name@example.com')).toMatchObject({
      state: 'waiting',
      message: 'message for name@example.com',
    });
  });

  it('gets the same answer the second time, and keeps its first welcome, id and token', async () => {
    await accept('name@example.com');
    const first = await entry('name@example.com');
    const again = await accept('name@example.com', { message: 'another message' });
    expect(again).toEqual({ outcome: 'accepted', retry_after: null });
    expect(await entry('name@example.com')).toEqual(first);
    await record(await leaseNow(), 'sent');
    await accept('name@example.com', { message: 'another message' });
    expect(await entry('name@example.com')).toMatchObject({ state: 'sent', message: null });
    expect(await members()).toEqual(['name@example.com']);
  });

  it('has one welcome when it is accepted 50 times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => accept('name@example.com', { caller: `caller ${index}` })),
    );
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
    expect(await sql`select from private.outbox`).toHaveLength(1);
    expect(await members()).toHaveLength(1);
  });

  it('waits while the same address is leaving, but not while another one is', async () => {
    await accept('a@example.com');
    const leaving = await holdOpen(
      sql,
      (transaction) => transaction`select leave_waitlist('token of a@example.com')`,
    );
    // It has the same caller and mailbox, but does not have to wait.
    expect(await accept('b@example.com', { mailbox: 'mailbox of a@example.com' })).toMatchObject({
      outcome: 'accepted',
    });
    const returning = accept('a@example.com');
    const isWaiting = await waitUntil(() => isSomebodyWaiting(sql), 10_000);
    await leaving.commit();
    expect(isWaiting).toBe(true);
    await returning;
    expect(await members()).toEqual(['a@example.com', 'b@example.com']);
    expect(await entry('a@example.com')).toMatchObject({ state: 'waiting' });
  });

  it('is not accepted at all when its message is missing', async () => {
    await expect(accept('name@example.com', { message: null })).rejects.toThrow();
    expect(await members()).toEqual([]);
    expect(await sql`select from private.calls`).toHaveLength(0);
  });
});

describe('leaving', () => {
  it('removes the member with this token from the list and the outbox, and nobody else', async () => {
    await accept('name@example.com');
    await accept('other@example.com');
    expect(await leave('token of name@example.com')).toBe(true);
    expect(await members()).toEqual(['other@example.com']);
    expect(await entry('name@example.com')).toBeUndefined();
  });

  it('answers a second click like the first, for ten minutes', async () => {
    await accept('name@example.com');
    expect([await leave('token of name@example.com'), await leave('token of name@example.com')]).toEqual([
      true,
      true,
    ]);
    await sql`update private.used_tokens set used_at = used_at - interval '11 minutes'`;
    expect(await leave('token of name@example.com')).toBe(false);
  });

  it('leaves nothing behind after ten minutes, even if nobody else leaves', async () => {
    await accept('name@example.com');
    await leave('token of name@example.com');
    await sql`update private.used_tokens set used_at = used_at - interval '11 minutes'`;
    await sql`select lease_delivery()`;
    expect(await sql`select from private.used_tokens`).toEqual([]);
  });

  it('does nothing, and says so, when a member who came back uses the old link', async () => {
    await accept('name@example.com');
    await leave('token of name@example.com');
    await accept('name@example.com');
    await sql`update private.outbox set unsubscribe_token_hash = 'new token'`;
    expect(await leave('token of name@example.com')).toBe(false);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('keeps a member who comes back while a click on the old link is processed', async () => {
    await accept('name@example.com');
    const back = await holdOpen(sql, async (transaction) => {
      await transaction`select leave_waitlist('token of name@example.com')`;
      await transaction`
        select accept_sign_up('name@example.com', 'message', gen_random_uuid(), 'new token', 'c', null, 'name@example.com', 'm')`;
    });
    const clicked = leave('token of name@example.com');
    expect(await waitUntil(() => isSomebodyWaiting(sql), 10_000)).toBe(true);
    await back.commit();
    expect(await clicked).toBe(false);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('removes nobody when the token belongs to nobody', async () => {
    await accept('name@example.com');
    expect(await leave('another token')).toBe(false);
    expect(await leave('name@example.com')).toBe(false);
    expect(await members()).toEqual(['name@example.com']);
  });

  it('lets a member return, with a new welcome, id and token', async () => {
    await accept('name@example.com');
    await record(await leaseNow(), 'sent');
    const first = (await entry('name@example.com'))!;
    await leave('token of name@example.com');
    await sql`select accept_sign_up('name@example.com', 'message', gen_random_uuid(), 'new token', 'c', null, 'e', 'm')`;
    expect(await members()).toEqual(['name@example.com']);
    expect((await entry('name@example.com'))!['member_id']).not.toBe(first['member_id']);
    await leave('token of name@example.com');
    expect(await members()).toEqual(['name@example.com']);
    expect((await leaseNow()).message).toBe('message');
    expect(await leave('new token')).toBe(true);
    expect(await members()).toEqual([]);
  });

  it('is not undone by a row that a browser inserts afterward', async () => {
    await accept('name@example.com');
    await leave('token of name@example.com');
    await sql`insert into waitlist_emails (email, source) values ('name@example.com', 'landing_page')`;
    expect(await members()).toEqual([]);
  });
});
