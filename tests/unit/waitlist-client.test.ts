import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it, vi } from 'vitest';
import { Waitlist } from '../../ops/waitlist-client.ts';

/** A project that returns how many ids it was given. */
const server = createServer(async (request, response) => {
  const { ids } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { ids?: string[] };
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(ids?.length ?? null));
});

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const waitlist = new Waitlist({
  PUBLIC_SUPABASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  SUPABASE_SECRET_KEY: 'sb_secret_test',
});
afterAll(() => void server.close());

it('many ids are sent in portions, so that no call takes long', async () => {
  const call = vi.spyOn(waitlist, 'call');
  expect(await waitlist.callInPortions('retry_outbox', 'ids', Array<string>(2500).fill('id'))).toBe(2500);
  expect(call).toHaveBeenCalledTimes(3);
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

const said = 'Service for this project is restricted due to the following violations: exceed_egress_quota.';
const retry = 'Try again in a few minutes.';

// https://supabase.com/docs/guides/troubleshooting/http-status-codes
it.each([
  [540, '{"message":"Project paused"}', 'is paused: Project paused. Restore the project at https://supabase'],
  [402, JSON.stringify({ message: said }), `is restricted: ${said} Look at the usage of its organization`],
  [429, '{"error":"sb_secret_test"}', `is overloaded or down: it answered 429: ***. ${retry}`],
  [521, '<html>', `is overloaded or down: it answered 521. ${retry}`],
  [503, '{"code":"PGRST002","message":"No cache"}', 'is overloaded or down: it answered 503: No cache. '],
  // https://docs.postgrest.org/en/v12/references/errors.html
  [404, '{"code":"PGRST202"}', 'has no list_members: it is older than this program. Run ./waitlist deploy'],
  [401, '{}', 'refuses the key. Set SUPABASE_SECRET_KEY'],
  [400, '{"code":"P0001","message":"odd"}', 'answered list_members with 400: odd'],
  [200, '<html>', 'is not a Supabase project: it answered 200. Check the URL'],
  [404, '<html>', 'is not a Supabase project: it answered 404. Check the URL'],
])('an answer of %i %s is called what it is', async (status, body, explained) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status }));
  const error = (await waitlist.call('list_members').catch((thrown: Error) => thrown)) as Error;
  vi.unstubAllGlobals();
  expect(error.message).toContain(`${waitlist.project.PUBLIC_SUPABASE_URL} ${explained}`);
});
