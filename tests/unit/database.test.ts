import { afterEach, expect, it, vi } from 'vitest';
import { Database } from '../../functions/database.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['sb_secret_one', undefined],
  ['eyJhbGciOi.eyJyb2xl.c2ln', 'Bearer eyJhbGciOi.eyJyb2xl.c2ln'],
])('the secret key %s reaches the data API as the role that it stands for', async (secretKey, bearer) => {
  let headers: Headers | undefined;
  vi.stubGlobal('fetch', async (_: URL, init: RequestInit) => {
    headers = new Headers(init.headers);
    return Response.json([]);
  });
  await new Database({ supabaseUrl: 'https://abc.supabase.co', secretKey }).call('lease_welcome');
  expect(headers?.get('apikey')).toBe(secretKey);
  expect(headers?.get('authorization') ?? undefined).toBe(bearer);
});
