import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it, vi } from 'vitest';
import { readMembers } from '../../ops/commands/members.ts';
import { Waitlist } from '../../ops/waitlist-client.ts';

/** A project that returns one row at a time, however many are requested. */
const server = createServer(async (request, response) => {
  const asked = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const rows = members.filter(({ created_at }) => created_at > (asked.after_time ?? ''));
  sizes.push(asked.page_size);
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(rows.slice(0, 1)));
});
const members = ['1', '2', '3'].map((second) => ({
  email: `${second}@example.com`,
  created_at: `2026-11-21T00:00:0${second}.000000Z`,
  source: 'landing_page',
}));
let sizes: number[] = [];

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const waitlist = new Waitlist({
  PUBLIC_SUPABASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  SUPABASE_SECRET_KEY: 'sb_secret_test',
});
afterAll(() => void server.close());

it('a project that returns fewer rows than requested is called until there are no more, or enough', async () => {
  expect(await readMembers(waitlist)).toEqual(members);
  sizes = [];
  expect(await readMembers(waitlist, false, 2)).toEqual(members.slice(0, 2));
  expect(sizes).toEqual([2, 1]);
});

it('a call waits longer than 8 seconds, after which the data API stops a statement', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  await waitlist.call('list_members');
  expect(timeout.mock.lastCall?.[0]).toBeGreaterThan(8_000);
  timeout.mockReturnValueOnce(AbortSignal.abort(new DOMException('', 'TimeoutError')));
  await expect(waitlist.call('list_members')).rejects.toThrow(
    /^http:\S+ did not answer in time\. Try again, or check whether the project is paused\.$/,
  );
  timeout.mockRestore();
});
