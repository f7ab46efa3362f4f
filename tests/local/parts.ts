import { migrate, prepareDatabase } from '../../local/database.ts';
import { type FunctionName, inbox, serverSide, staticHost } from '../../local/parts.ts';
import { type Part, waitUntil } from '../../local/process.ts';
import { writeRunFile } from '../../local/run-file.ts';
import { RunningParts } from '../../local/running-parts.ts';
import { prepareDataDir, readSettings } from '../../local/settings.ts';
import { buildSite } from '../../local/site-build.ts';
import { Stack } from './stack.ts';

/** The parts of a local stack, in this process. One that a test kills starts again. Most tests of the functions need no site. */
export class Parts extends Stack {
  #hasSite: boolean;
  #database!: Part;
  #serverSide: Part[] = [];
  #running = new RunningParts((part) => void this.#revive(part));
  /** The part that stays down for now. */
  #absent: Part | undefined;

  constructor({ hasSite = false } = {}) {
    super();
    this.#hasSite = hasSite;
  }

  override async start(): Promise<'ready'> {
    const settings = readSettings({ ...this.environment, DATA_DIR: this.dataDir });
    prepareDataDir(this.dataDir);
    this.#database = prepareDatabase(this.dataDir, settings.ports.DB_PORT);
    await this.#running.start(this.#database);
    await migrate(settings);
    if (this.#hasSite) await buildSite(settings, new AbortController().signal);
    this.#serverSide = await serverSide(settings);
    const parts = [inbox(settings), ...this.#serverSide];
    if (this.#hasSite) parts.push(staticHost(settings));
    await Promise.all(parts.map((part) => this.#running.start(part)));
    writeRunFile({ settings, pids: this.pids });
    return 'ready';
  }

  /** The process of each part, by its name. */
  get pids(): Record<string, number> {
    return this.#running.pids;
  }

  /** Starts a function again with other values. */
  async change(name: FunctionName, values: Record<string, string>): Promise<void> {
    const part = this.#serverSide.find((candidate) => candidate.name === name)!;
    part.env = { ...part.env, ...values };
    const before = this.pids[name]!;
    process.kill(before, 'SIGKILL');
    const isBack = async () => this.pids[name] !== before && (await part.isReady());
    if (!(await waitUntil(isBack, 30_000))) throw new Error(`${name} did not start again.`);
  }

  /** Kills the database, which stays down until `work` is done. Then waits until the data API reaches it again. */
  async withoutDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#absent = this.#database;
    process.kill(this.pids['database']!, 'SIGKILL');
    try {
      // Connections outlive a killed database for a moment.
      if (!(await waitUntil(async () => !(await this.reachesDatabase()), 30_000)))
        throw new Error('The database is still up.');
      return await work();
    } finally {
      this.#absent = undefined;
      await this.#revive(this.#database);
      await this.hasConnection();
    }
  }

  override async stop(): Promise<null> {
    await this.#running.stop();
    return null;
  }

  async #revive(part: Part): Promise<void> {
    if (part === this.#absent) return;
    // It cannot start while its port is still occupied.
    await this.#running.start(part).catch(() => this.#revive(part));
  }
}
