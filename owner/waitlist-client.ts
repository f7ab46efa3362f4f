import { createClient, type SupabaseClient } from '@supabase/supabase-js';

export interface Entry {
  email: string;
  /** ISO 8601, in UTC. */
  created_at: string;
  source: string;
}

/** A welcome that was not sent. */
export interface Undelivered {
  address: string;
  state: 'waiting' | 'refused' | 'unknown';
  accepted_at: string;
  next_try_at: string;
  tries: number;
  problem: string | null;
}

const PAGE = 1000; // rows at once

/** A waitlist as its owner sees it. Every method throws an Error with what the project answered when it fails. */
export class Waitlist {
  #url: string;
  #supabase: SupabaseClient;

  /** `url` and secret key of the project, as its dashboard shows them. */
  constructor(url: string, secretKey: string) {
    this.#url = url;
    this.#supabase = createClient(url, secretKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
  }

  /** Reads all entries, the oldest first. */
  async listEntries(): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (;;) {
      const { data, error } = await this.#supabase
        .from('waitlist_emails')
        .select('email, created_at, source')
        .order('created_at')
        .order('email')
        .range(entries.length, entries.length + PAGE - 1);
      if (error) throw this.#explain(error);
      for (const entry of data as Entry[]) {
        entries.push({ ...entry, created_at: new Date(entry.created_at).toISOString() });
      }
      // Not at a short page: a project may answer with fewer rows at once than were asked for.
      if (data.length === 0) return entries;
    }
  }

  /** Removes an address from list and outbox, whether it was there or not. */
  async remove(address: string): Promise<void> {
    await this.#call('leave_waitlist', { address });
  }

  /** Reads the welcomes that were not sent, the oldest first. */
  async listUndelivered(): Promise<Undelivered[]> {
    return (await this.#call('list_undelivered')) as Undelivered[];
  }

  /** Has refused and unknown welcomes sent again, all or that of one address; tells how many. */
  async retry(address?: string): Promise<number> {
    return Number(await this.#call('retry_undelivered', { address: address ?? null }));
  }

  async #call(procedure: string, parameters: object = {}): Promise<unknown> {
    const { data, error } = await this.#supabase.rpc(procedure, parameters);
    if (error) throw this.#explain(error);
    return data;
  }

  #explain({ message }: { message: string }): Error {
    return new Error(`The waitlist at ${this.#url} did not answer as it should: ${message}`);
  }
}
