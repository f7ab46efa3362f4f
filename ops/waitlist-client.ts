import { hashAddress } from '../functions/_shared/mailbox.ts';
import { Database } from '../shared/database.ts';
import { refuseOtherSecret } from './database.ts';
import { explainRefusal, explainSilence } from './explain-answer.ts';
import { type Project, readTokenSecrets } from './project.ts';

const PORTION = 1000; // ids or addresses
const TIMEOUT = 30_000; // milliseconds for one answer

/** The procedures of a waitlist's database, for its owner: supabase/routines/ defines them. */
export class Waitlist {
  readonly project: Project;
  #url: string;
  #database: Database;
  #fingerprint?: Promise<string | null>;

  constructor(project: Project) {
    this.project = project;
    this.#url = project.PUBLIC_SUPABASE_URL;
    this.#database = new Database({ supabaseUrl: this.#url, secretKeys: [project.SUPABASE_SECRET_KEY] });
  }

  /** Calls a procedure. Resolves to its rows, or to its value. Throws an Error that says what to do. */
  async call<Result>(procedure: string, parameters: object = {}): Promise<Result> {
    let response: Response;
    let text: string;
    try {
      response = await this.#database.post(procedure, parameters, TIMEOUT);
      text = (await response.text()).replaceAll(this.project.SUPABASE_SECRET_KEY, '***');
    } catch (error) {
      throw new Error(explainSilence(this.#url, error));
    }
    try {
      if (response.ok) return JSON.parse(text || 'null') as Result;
    } catch {}
    throw new Error(explainRefusal(this.#url, procedure, response.status, text));
  }

  /** Calls a procedure with a thousand ids or addresses at a time, so that nobody waits for it. Resolves to the sum. */
  async callInPortions(procedure: string, name: 'ids' | 'emails', all: string[], more = {}): Promise<number> {
    let sum = 0;
    for (const portion of split(all)) sum += await this.call<number>(procedure, { [name]: portion, ...more });
    return sum;
  }

  /** Makes the hashes of an address, as the functions do. Throws a UsageError if TOKEN_SECRET is not the one of the list. */
  async hash(email: string): Promise<ReturnType<typeof hashAddress>> {
    refuseOtherSecret(await (this.#fingerprint ??= this.call('read_fingerprint')), this.project);
    return hashAddress(email, readTokenSecrets(this.project));
  }

  /** Finds every address on the list that belongs to the mailbox of one of these addresses, whatever its spelling. */
  async findSpellings(asked: string[]): Promise<string[]> {
    const found: string[] = [];
    for (const emails of split(asked)) {
      const hashes = await Promise.all(emails.map((email) => this.hash(email)));
      const mailboxes = hashes.map(({ mailbox_hash }) => mailbox_hash);
      found.push(...(await this.call<string[]>('list_mailboxes', { emails, mailboxes })));
    }
    return [...new Set(found)];
  }
}

function* split(all: string[]): Generator<string[]> {
  for (let at = 0; at < all.length; at += PORTION) yield all.slice(at, at + PORTION);
}
