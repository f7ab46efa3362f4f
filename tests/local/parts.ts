import { migrate, prepareDatabase } from '../../local/database.ts';
import { type FunctionName, inbox, serverSide, staticHost } from '../../local/parts.ts';
import { identifyProcess, type Part, waitUntil } from '../../local/process.ts';
import { readRunFile, writeRunFile } from '../../local/run-file.ts';
import { prepareDataDir, readSettings } from '../../local/settings.ts';
import { buildSite } from '../../local/site-build.ts';
import { Supervisor } from '../../local/supervisor.ts';
import { Stack } from './stack.ts';

/** The parts of a local stack, supervised by this process. Most tests of the functions need no site. */
export class Parts extends Stack {
  #hasSite: boolean;
  #database!: Part;
  #serverSide: Part[] = [];
  #supervisor?: Supervisor;

  constructor({ hasSite = false } = {}) {
    super();
    this.#hasSite = hasSite;
  }

  override async start(): Promise<'ready'> {
    const settings = readSettings({ ...this.environment, DATA_DIR: this.dataDir });
    const main = identifyProcess(process.pid)!;
    const supervisor = new Supervisor((parts) => writeRunFile({ main, parts, settings }));
    this.#supervisor = supervisor;
    prepareDataDir(this.dataDir);
    this.#database = prepareDatabase(this.dataDir, settings.ports.DB_PORT);
    await supervisor.start(this.#database);
    await migrate(settings);
    if (this.#hasSite) await buildSite(settings, new AbortController().signal);
    this.#serverSide = await serverSide(settings);
    const parts = [inbox(settings), ...this.#serverSide];
    if (this.#hasSite) parts.push(staticHost(settings));
    await Promise.all(parts.map((part) => supervisor.start(part)));
    return 'ready';
  }

  /** Starts a function again with other values. */
  async change(name: FunctionName, values: Record<string, string>): Promise<void> {
    const part = this.#serverSide.find((candidate) => candidate.name === name)!;
    part.env = { ...part.env, ...values };
    const readPid = () => readRunFile(this.dataDir)?.parts[name]?.pid;
    const before = readPid();
    process.kill(before!, 'SIGKILL');
    const isBack = async () => ![undefined, before].includes(readPid()) && (await part.isReady());
    if (!(await waitUntil(isBack, 30_000))) throw new Error(`${name} did not start again.`);
  }

  /** Kills the database, which stays down until `work` is done. Then waits until the data API reaches it again. */
  async withoutDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
    const { command, args } = this.#database;
    Object.assign(this.#database, { command: process.execPath, args: ['--eval', ''] });
    process.kill(readRunFile(this.dataDir)!.parts['database']!.pid, 'SIGKILL');
    try {
      // Connections outlive a killed database for a moment.
      if (!(await waitUntil(async () => !(await this.reachesDatabase()), 30_000)))
        throw new Error('The database is still up.');
      return await work();
    } finally {
      Object.assign(this.#database, { command, args });
      await this.hasConnection();
    }
  }

  override async stop(): Promise<null> {
    await this.#supervisor?.stopAll();
    return null;
  }
}
