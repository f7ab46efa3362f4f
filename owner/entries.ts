import { createClient } from '@supabase/supabase-js';

/** Where a waitlist is, and the key that opens it to its owner. */
export interface Project {
  url: string;
  secretKey: string;
}

export interface Entry {
  email: string;
  /** ISO 8601, in UTC. */
  created_at: string;
  source: string;
}

const PAGE = 1000; // rows; hosted projects answer with no more at once

/**
 * Reads all entries, the oldest first.
 *
 * @throws Error with what the project answered when it cannot be read.
 */
export async function listEntries({ url, secretKey }: Project): Promise<Entry[]> {
  const supabase = createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } });
  const entries: Entry[] = [];
  for (;;) {
    const { data, error } = await supabase
      .from('waitlist_emails')
      .select('email, created_at, source')
      .order('created_at')
      .order('email')
      .range(entries.length, entries.length + PAGE - 1);
    if (error) throw new Error(`The waitlist at ${url} could not be read: ${error.message}`);
    for (const entry of data as Entry[]) {
      entries.push({ ...entry, created_at: new Date(entry.created_at).toISOString() });
    }
    if (data.length < PAGE) return entries;
  }
}
