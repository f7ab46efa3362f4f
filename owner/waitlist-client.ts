import type { Project } from './project.ts';

/** Which members: those who joined from `since` on and before `until` (ISO 8601), with `matching` in the address. */
export interface Filter {
  since?: string | undefined;
  until?: string | undefined;
  matching?: string | undefined;
}

export interface Member {
  email: string;
  /** ISO 8601 to the microsecond, in UTC, as all times here. */
  created_at: string;
  source: string;
}

/** A message that was not sent, or that came back. */
export interface Problem {
  email: string;
  /** The name of the announcement; null for the welcome. */
  announcement: string | null;
  /** Not sent: `waiting`, `refused` or `unknown`. Came back: the kind of event, such as `bounced`. */
  state: string;
  /** When it was queued, or when it came back. */
  at: string;
  /** Set while it waits. */
  next_try_at?: string | null;
  tries?: number;
  problem: string | null;
}

type State = 'waiting' | 'sent' | 'refused' | 'unknown';

/** Everything about one member. What is not about an announcement is about the welcome. */
export interface Story {
  email: string;
  created_at: string;
  state: State;
  sent_at: string | null;
  next_try_at: string | null;
  /** How many welcomes go out before this one. */
  ahead: number | null;
  tries: number;
  problem: string | null;
  /** Whether the address bounced permanently or complained. */
  is_never_mailed: boolean;
  announcements: { name: string; state: State; sent_at: string | null; problem: string | null }[];
  /** An event of the welcome has no announcement. */
  events: { announcement: string | null; kind: string; at: string; problem: string | null }[];
}

export interface Summary {
  members: number;
  never_mailed: number;
  today: number;
  yesterday: number;
  /** Welcomes that wait. */
  waiting: number;
  waiting_since: string | null;
  /** Messages of announcements that wait and are not stopped. */
  waiting_announcements: number;
  per_second: number;
  /** Set while the provider takes no more messages. */
  paused_until: string | null;
  /** Why the message that was tried last still waits. */
  problem: string | null;
  refused: number;
  unknown: number;
  /** Members by the kind of event: `bounced`, `complained`. */
  returned: Record<string, number>;
}

/** What queueing an announcement would do. */
export interface AnnouncementPreview {
  /** The members who would be queued now. */
  recipients: number;
  queued_before: number;
  /** Members who are skipped, because their address bounced permanently or complained. */
  never_mailed: number;
  waiting_welcomes: number;
  per_second: number;
  /** Whether it was queued with another message. */
  is_changed: boolean;
  is_stopped: boolean;
}

/** How far an announcement is. */
export interface AnnouncementProgress {
  sent: number;
  waiting: number;
  refused: number;
  unknown: number;
  bounced: number;
  complained: number;
  per_second: number;
  is_stopped: boolean;
  /** Set while the provider takes no more messages. */
  paused_until: string | null;
  /** Why the message that was tried last still waits. */
  problem: string | null;
  queued_at: string;
}

interface Limit {
  name: string;
  value: number;
  lowest: number;
  highest: number;
  meaning: string;
}

/** `not empty` and `incomplete`: nothing was changed. */
type RestoreOutcome = 'complete' | 'not empty' | 'incomplete';

const PAGE = 1000; // rows at once, the most that a hosted project returns
const PATIENCE = 30_000; // milliseconds for one answer

/** The waitlist, for its owner. Every method throws an Error that says what to do when the project does not answer as it should. */
export class Waitlist {
  #url: string;
  #headers: Record<string, string>;

  constructor({ PUBLIC_SUPABASE_URL: url, SUPABASE_SECRET_KEY: key }: Project) {
    this.#url = url;
    this.#headers = { apikey: key, 'Content-Type': 'application/json' };
    // The data API takes the role from a legacy key, which is a token. A new key must not be sent as one.
    if (key.startsWith('eyJ')) this.#headers['Authorization'] = `Bearer ${key}`;
  }

  /**
   * Reads members page by page, the oldest first, and fetches a page only when the caller wants it. `limit` is the maximum
   * number of members. With `mailable` it returns only members who may be mailed.
   */
  readMembers(
    filter: Filter = {},
    { limit, mailable = false }: { limit?: number | undefined; mailable?: boolean } = {},
  ): AsyncGenerator<Member[]> {
    return this.#readPages<Member>('list_members', { ...filter, mailable }, afterMember, { limit });
  }

  async countMembers(filter: Filter = {}): Promise<number> {
    return (await this.#call('count_members', filter)) as number;
  }

  async summarize(): Promise<Summary> {
    return ((await this.#call('summarize_waitlist')) as [Summary])[0];
  }

  /** Resolves to `undefined` when the address is not on the list. */
  async findMember(email: string): Promise<Story | undefined> {
    return ((await this.#call('find_member', { email })) as Story[])[0];
  }

  /** Removes an address from list and outbox. Resolves to whether it was there. */
  async remove(email: string): Promise<boolean> {
    return (await this.#call('remove_member', { email })) === true;
  }

  /** Reads the messages that were not sent, then those that came back, page by page, the oldest first. */
  async *readProblems(): AsyncGenerator<Problem[]> {
    const after = ({ at, email }: Problem) => ({ after_time: at, after_email: email });
    yield* this.#readPages<Problem>('list_outbox', {}, after);
    yield* this.#readPages<Problem>('list_returned', {}, after);
  }

  /** Counts the messages, to one address or to all, that may have been sent and can be sent again. */
  async countUnknown(email?: string): Promise<number> {
    return (await this.#call('count_unknown', { email })) as number;
  }

  /** Queues refused messages again, unknown ones too if `withUnknown`, to one address or to all. Resolves to how many. */
  async retry(email: string | undefined, withUnknown: boolean): Promise<number> {
    return (await this.#call('retry_outbox', { email, with_unknown: withUnknown })) as number;
  }

  /** Tells what `queueAnnouncement` would do with a message: a template as JSON. */
  async previewAnnouncement(name: string, message: string): Promise<AnnouncementPreview> {
    return ((await this.#call('preview_announcement', { name, message })) as [AnnouncementPreview])[0];
  }

  /** Queues an announcement for every member who has not got it. `changed`: nothing, since its message was another one. */
  async queueAnnouncement(
    name: string,
    message: string,
  ): Promise<{ outcome: 'queued' | 'changed'; queued: number }> {
    type Row = Awaited<ReturnType<Waitlist['queueAnnouncement']>>;
    return ((await this.#call('queue_announcement', { name, message })) as [Row])[0];
  }

  /** Resolves to `undefined` when it was never queued. */
  async summarizeAnnouncement(name: string): Promise<AnnouncementProgress | undefined> {
    return ((await this.#call('summarize_announcement', { name })) as AnnouncementProgress[])[0];
  }

  /** Stops an announcement, or lets it go on. Resolves to whether it was ever queued. */
  async stopAnnouncement(name: string, isStopped: boolean): Promise<boolean> {
    return (await this.#call('stop_announcement', { name, is_stopped: isStopped })) === true;
  }

  /** Sends a message to one address. Resolves to the id of this test, for `findTest` and `forgetTest`. */
  async queueTest(message: string, email: string): Promise<string> {
    return (await this.#call('queue_test', { message, email })) as string;
  }

  async findTest(id: string): Promise<{ state: State; problem: string | null } | undefined> {
    type Row = Awaited<ReturnType<Waitlist['findTest']>>;
    return ((await this.#call('find_test', { id })) as Row[])[0];
  }

  async forgetTest(id: string): Promise<void> {
    await this.#call('forget_test', { id });
  }

  async listLimits(): Promise<Limit[]> {
    return (await this.#call('list_limits')) as Limit[];
  }

  async setLimit(name: string, value: number): Promise<void> {
    await this.#call('set_limit', { name, value });
  }

  /** Reads everything that a backup contains, page by page: members with their messages, announcements, then the hashes that must never be mailed. */
  async *readBackup(): AsyncGenerator<object[]> {
    type Row = { entry: { member: Member } };
    const after = ({ entry }: Row) => ({ after_email: entry.member.email });
    // Smaller pages: a welcome that waits carries its whole message.
    for await (const page of this.#readPages<Row>('back_up_members', {}, after, { size: 250 }))
      yield page.map(({ entry }) => entry);
    const announcements = this.#readPages<{ announcement: { name: string } }>(
      'back_up_announcements',
      {},
      ({ announcement }) => ({ after_name: announcement.name }),
      { size: 10 },
    );
    yield* announcements;
    const hashes = this.#readPages<{ email_hash: string }>('back_up_never_mailed', {}, (row) => ({
      after_hash: row.email_hash,
    }));
    for await (const page of hashes) yield page.map(({ email_hash }) => ({ never_mailed: email_hash }));
  }

  /** Uploads a part of a backup. Nothing shows before `restore`. */
  async upload(restore: string, entries: object[]): Promise<void> {
    await this.#call('upload_backup', { restore, entries: JSON.stringify(entries) });
  }

  /** Marks an uploaded backup of so many entries as complete. From then on it is restored, even without `restorePart`. */
  async restore(restore: string, size: number): Promise<RestoreOutcome> {
    return (await this.#call('restore_backup', { restore, size })) as RestoreOutcome;
  }

  /** Moves one part of a complete backup into place. Resolves to how many are left. */
  async restorePart(): Promise<number> {
    return (await this.#call('restore_part')) as number;
  }

  async *#readPages<Row>(
    procedure: string,
    parameters: object,
    placeOf: (row: Row) => object,
    { limit = Infinity, size = PAGE }: { limit?: number | undefined; size?: number } = {},
  ): AsyncGenerator<Row[]> {
    let place = {};
    for (let left = limit; left > 0;) {
      const page_size = Math.min(size, left);
      const page = (await this.#call(procedure, { ...parameters, ...place, page_size })) as Row[];
      const last = page.at(-1);
      // A short page is not the end: a project may return fewer rows than it was asked for.
      if (last === undefined) return;
      yield page;
      place = placeOf(last);
      left -= page.length;
    }
  }

  async #call(procedure: string, parameters: object = {}): Promise<unknown> {
    let status: number;
    let text: string;
    try {
      const response = await fetch(new URL(`/rest/v1/rpc/${procedure}`, this.#url), {
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify(parameters),
        signal: AbortSignal.timeout(PATIENCE),
      });
      status = response.status;
      text = await response.text();
    } catch (error) {
      throw this.#explainSilence(error as Error);
    }
    const body = parseJson(text);
    if (status >= 200 && status < 300 && (text === '' || body !== undefined)) return body;
    throw this.#explainRefusal(procedure, status, (body ?? {}) as { code?: string; message?: string });
  }

  #explainSilence(error: Error): Error {
    if (error.name === 'TimeoutError')
      return new Error(
        `${this.#url} did not answer in time. Try again, or check whether the project is paused.`,
      );
    const { code } = (error.cause ?? {}) as { code?: string };
    return new Error(
      `${this.#url} cannot be reached${code ? ` (${code})` : ''}. Check SUPABASE_URL and the network, or start the local stack again.`,
    );
  }

  #explainRefusal(
    procedure: string,
    status: number,
    { code, message = '' }: { code?: string; message?: string },
  ): Error {
    if (status === 401 || status === 403) {
      return new Error(
        `${this.#url} refuses the key. Set SUPABASE_SECRET_KEY to the secret key of this project (sb_secret_…), not to its publishable key.`,
      );
    }
    // Unknown to the data API, or to the database.
    if (code === 'PGRST202' || code === '42883') {
      return new Error(
        `The database at ${this.#url} has no ${procedure}: a migration is missing. Run npm run deploy, or start the local stack again.`,
      );
    }
    if (!code)
      return new Error(`${this.#url} is not a Supabase project: it answered ${status}. Check SUPABASE_URL.`);
    return new Error(
      `${this.#url} answered ${procedure} with ${status}: ${message.split('\n', 1)[0]!.slice(0, 200)}`,
    );
  }
}

function afterMember({ created_at, email }: Member): object {
  return { after_time: created_at, after_email: email };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
