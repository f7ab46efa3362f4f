import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { explainFailure } from './failure.ts';

/** What every row of a list can be found again by: a time to the microsecond and an address. */
export interface Place {
  after_time: string;
  after_address: string;
}

/** Whom to look at: who joined from `since` on and before `until` (ISO 8601), with `matching` in the address. */
export interface Filter {
  since?: string | undefined;
  until?: string | undefined;
  matching?: string | undefined;
}

export interface Member {
  email: string;
  /** ISO 8601 to the microsecond, in UTC. */
  created_at: string;
  source: string;
}

export const unsentStates = ['waiting', 'refused', 'unknown'] as const;
/** Of a welcome that was not sent: to be sent, refused for good, or sent perhaps. */
export type UnsentState = (typeof unsentStates)[number];

export const retriedStates = ['refused', 'unknown'] as const;
/** Of a welcome that is not sent again without the owner. */
export type RetriedState = (typeof retriedStates)[number];

/** A welcome that was not sent. Times are ISO 8601 in UTC. */
export interface Welcome {
  address: string;
  state: UnsentState;
  accepted_at: string;
  /** `null` when nobody will try by itself. */
  next_try_at: string | null;
  tries: number;
  problem: string | null;
}

/** A welcome that was sent and came back. Times are ISO 8601 in UTC. */
export interface Returned {
  address: string;
  kind: 'bounced' | 'complained';
  problem: string | null;
  sent_at: string;
  returned_at: string;
}

/** What became of the welcome to one address. */
interface Fate {
  state: UnsentState | 'sent';
  /** How it came back; `null` when it did not. */
  return_kind: Returned['kind'] | null;
  /** Whether the address bounced for good or complained. */
  is_never_mailed: boolean;
}

interface Limit {
  name: string;
  value: number;
  meaning: string;
}

const PAGE = 1000; // rows at once: more than that a hosted project does not hand out
const PATIENCE = 30_000; // milliseconds for one answer

/** A waitlist as its owner sees it. Every method throws an Error that says what to do when the project does not play along. */
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

  /**
   * Reads members page by page, the next page only when it is asked for: all of them, or `limit` at most; with
   * `neverMailed` those who are never mailed again, or only the others.
   */
  readMembers(
    filter: Filter = {},
    {
      newestFirst = false,
      after,
      limit = Infinity,
      neverMailed,
    }: {
      newestFirst?: boolean;
      after?: Place | undefined;
      limit?: number | undefined;
      neverMailed?: boolean | undefined;
    } = {},
  ): AsyncGenerator<Member[]> {
    const parameters = { ...filter, newest_first: newestFirst, never_mailed: neverMailed, ...after };
    return this.#readPages<Member>('list_members', parameters, limit, (member) => ({
      after_time: member.created_at,
      after_address: member.email,
    }));
  }

  async countMembers(filter: Filter = {}): Promise<number> {
    return Number(await this.#call('count_members', filter));
  }

  /** Removes an address from list and outbox; tells whether it was there. */
  async remove(address: string): Promise<boolean> {
    return (await this.#call('remove_member', { address })) === true;
  }

  /** Reads the welcomes that were not sent page by page, the oldest first. */
  readOutbox(state?: UnsentState): AsyncGenerator<Welcome[]> {
    return this.#readPages<Welcome>('list_outbox', { in_state: state }, Infinity, (welcome) => ({
      after_time: welcome.accepted_at,
      after_address: welcome.address,
    }));
  }

  /** Reads the welcomes that came back page by page, the oldest first. */
  async *readReturned(): AsyncGenerator<Returned[]> {
    const pages = this.#readPages<Returned>('list_returned', {}, Infinity, (welcome) => ({
      after_time: welcome.returned_at,
      after_address: welcome.address,
    }));
    for await (const page of pages) {
      yield page.map((welcome) => ({
        ...welcome,
        sent_at: new Date(welcome.sent_at).toISOString(),
        returned_at: new Date(welcome.returned_at).toISOString(),
      }));
    }
  }

  /** Counts the welcomes that may or may not have been sent, and can be sent again, of all or to one address. */
  async countUnknown(address?: string): Promise<number> {
    return Number(await this.#call('count_unknown', { address }));
  }

  /** Finds what became of the welcome to an address; `undefined` when there is none. */
  async findWelcome(address: string): Promise<Fate | undefined> {
    return ((await this.#call('find_welcome', { address })) as Fate[])[0];
  }

  /**
   * Has refused and unknown welcomes sent again, of all addresses and states or of one, but for addresses that are never
   * mailed again; tells how many.
   */
  async retry(address?: string, state?: RetriedState): Promise<number> {
    return Number(await this.#call('retry_outbox', { address, in_state: state }));
  }

  async listLimits(): Promise<Limit[]> {
    return (await this.#call('list_limits')) as Limit[];
  }

  async setLimit(name: string, value: number): Promise<void> {
    await this.#call('set_limit', { name, value });
  }

  async *#readPages<Row>(
    procedure: string,
    parameters: object,
    limit: number,
    placeOf: (row: Row) => Place,
  ): AsyncGenerator<Row[]> {
    let place = {};
    for (let left = limit; left > 0;) {
      const page_size = Math.min(PAGE, left);
      const page = (await this.#call(procedure, { ...parameters, ...place, page_size })) as Row[];
      const last = page.at(-1);
      // Not at a short page: a project may answer with fewer rows at once than were asked for.
      if (last === undefined) return;
      yield page;
      place = placeOf(last);
      left -= page.length;
    }
  }

  async #call(procedure: string, parameters: object = {}): Promise<unknown> {
    const call = this.#supabase.rpc(procedure, parameters).abortSignal(AbortSignal.timeout(PATIENCE));
    const { data, error, status } = await call;
    if (error) throw explainFailure({ url: this.#url, procedure, status, error });
    return data;
  }
}
