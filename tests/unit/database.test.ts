import { afterEach, expect, it, vi } from 'vitest';
import { Database } from '../../shared/database.ts';
import { hash } from '../../functions/_shared/secrets.ts';

const open = (...secretKeys: string[]) =>
  new Database({ supabaseUrl: 'https://abc.supabase.co', secretKeys });
const database = open('sb_secret_one');
afterEach(() => vi.unstubAllGlobals());

it('the secret key reaches the data API, which must not get it as a token', async () => {
  let headers: Headers | undefined;
  vi.stubGlobal('fetch', async (_: URL, init: RequestInit) => {
    headers = new Headers(init.headers);
    return Response.json([]);
  });
  await database.call('lease_delivery');
  expect(headers!.get('apikey')).toBe('sb_secret_one');
  expect(headers!.has('authorization')).toBe(false);
});

it('works on with the next secret key when one was revoked, however many calls notice it at once', async () => {
  vi.stubGlobal('fetch', async (_: URL, { headers }: RequestInit) =>
    new Headers(headers).get('apikey') === 'sb_secret_two'
      ? Response.json([])
      : new Response(null, { status: 401 }),
  );
  const both = open('sb_secret_one', 'sb_secret_two');
  expect(await Promise.all([both.call('lease_delivery'), both.call('lease_delivery')])).toEqual([[], []]);
  await expect(open('sb_secret_one', 'sb_secret_three').call('lease_delivery')).rejects.toThrow('401');
});

it('when the data API refuses a call, the error has its status but nothing that quotes an address', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ message: 'name@example.com is not an address' }, { status: 400, statusText: 'name' }),
  );
  const call = database.call('accept_sign_up', { email: 'name@example.com' });
  await expect(call).rejects.toThrow(/^accept_sign_up: the data API answered 400$/);
});

it('a call of the data API times out early enough for the page to report it', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const fetched = vi.fn<typeof fetch>(async () => Response.json([]));
  vi.stubGlobal('fetch', fetched);
  await database.call('lease_delivery');
  expect(timeout.mock.calls[0]![0]).toBeLessThan(10_000);
  expect(fetched.mock.calls[0]![1]!.signal).toBe(timeout.mock.results[0]!.value);
});

it('hashes of the same value differ by purpose and by secret, and never change', () => {
  const hashes = [hash('caller', 'a', 'one'), hash('mailbox', 'a', 'one'), hash('caller', 'a', 'two')];
  expect(new Set(hashes).size).toBe(3);
  // The database keeps hashes for years and compares new ones with them.
  expect(hashes[0]).toBe('2CyROQglrM0KvVIYI_WJrYyhuosz1HP4HBvjQf5l804');
});
