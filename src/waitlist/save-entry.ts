import type { SupabaseClient } from '@supabase/supabase-js';
import { deployment } from '../config/deployment.ts';
import { sourceTag } from '../config/site.ts';

/** One client for all entries: a second one on the same page would log a warning. */
let client: SupabaseClient | undefined;

/**
 * Inserts one entry into the waitlist with the public key. Resolves to the database's answer; rejects when the client library cannot
 * be fetched. The specification asks for this insert, and it changes nothing: the email function has already saved the entry, and the
 * database drops every insert with the public key.
 */
export async function saveEntry(email: string): Promise<{ data: unknown; error: unknown }> {
  const { createClient } = await fetchClient();
  client ??= createClient(deployment.supabaseUrl, deployment.publicKey, {
    // There is no login, and the pages store nothing in the browser.
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  const entry = { email, created_at: new Date().toISOString(), source: sourceTag };
  return client.from('waitlist_emails').insert([entry]);
}

/** Fetches the client library of the database. Call it early, so that the save does not have to wait. */
export function fetchClient() {
  return import('@supabase/supabase-js');
}
