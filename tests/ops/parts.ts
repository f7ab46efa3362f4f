import { migrate, prepareDatabase } from '../../ops/stack/database.ts';
import { inbox, serverSide } from '../../ops/stack/parts.ts';
import { waitUntil } from '../../ops/stack/process.ts';
import { writeRunFile } from '../../ops/stack/run-file.ts';
import { type Part, RunningParts } from '../../ops/stack/running-parts.ts';
import { readSettings } from '../../ops/stack/settings.ts';
import { Stack } from './stack.ts';

/** The parts of a local stack, in this process. One that a test kills starts again. The tests of the functions need no site. */
export class Parts extends Stack {
  #running = new RunningParts(this.dataDir, (part) => void this.#revive(part));

  override async start(): Promise<'ready'> {
    const settings = readSettings({ ...this.environment, DATA_DIR: this.dataDir });
    await this.#running.start(prepareDatabase(this.dataDir, settings.ports.DB_PORT));
    await migrate(settings.databaseUrl);
    const parts = [inbox(settings), ...(await serverSide(settings))];
    await Promise.all(parts.map((part) => this.#running.start(part)));
    writeRunFile({ settings, pids: this.pids });
    return 'ready';
  }

  /** The process of each part, by its name. */
  get pids(): Record<string, number> {
    return this.#running.pids;
  }

  /** Waits until the data API reaches the database again after one of them was killed. */
  async hasConnection(): Promise<void> {
    const apikey = 'sb_publishable_local_stack_of_dropyard';
    const isConnected = async () => {
      // The local data API never answers a call that it passed to the database while that was starting.
      const response = await fetch(this.url('API_PORT', '/rest/v1/waitlist_emails'), {
        headers: { apikey },
        signal: AbortSignal.timeout(3_000),
      });
      // This answer comes from the database: the public key may not read.
      return (await response.text()).includes('42501');
    };
    if (!(await waitUntil(() => isConnected().catch(() => false), 30_000))) throw new Error('no connection');
  }

  override async stop(): Promise<null> {
    await this.#running.stop();
    return null;
  }

  async #revive(part: Part): Promise<void> {
    // It cannot start while its port is still occupied.
    await this.#running.start(part).catch(() => this.#revive(part));
  }
}
