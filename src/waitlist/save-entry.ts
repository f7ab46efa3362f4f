import type { SupabaseClient } from '@supabase/supabase-js';
import { deployment } from '../deployment.ts';
import { signUp } from '../site.ts';

/** One for all entries: a second one on a page would warn of the first. */
let client: SupabaseClient | undefined;

/**
 * Inserts one entry into the waitlist, with the rights that every visitor has. Resolves to what the database said.
 *
 * @throws when the client library cannot be fetched.
 */
export async function saveEntry(address: string): Promise<{ data: unknown; error: unknown }> {
  const { createClient } = await fetchClient();
  client ??= createClient(deployment.supabaseUrl, deployment.publicKey, {
    // Nobody logs in here, and the pages store nothing in the browser.
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  const entry = { email: address, created_at: new Date().toISOString(), source: signUp.source };
  return client.from('waitlist_emails').insert([entry]);
}

/** Fetches the client library of the database. Done while somebody types, it keeps no entry waiting. */
export function fetchClient() {
  return import('@supabase/supabase-js');
}
