import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { backend } from '../../ops/stack/parts.ts';
import { writeRunFile } from '../../ops/stack/run-file.ts';
import { RunningParts } from '../../ops/stack/running-parts.ts';
import { findFreePort, readSettings, type Settings } from '../../ops/stack/settings.ts';
import { run } from '../../ops/program.ts';
import { hashAddress } from '../../functions/_shared/mailbox.ts';
import { databaseUrl } from './database.ts';
import { sql, welcome } from './sign-ups.ts';

const program = resolve(import.meta.dirname, '../../ops/waitlist.ts');

/** The owner's command line on the test database, through the data API. */
class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'waitlist-owner-'));
  settings!: Settings;
  #parts = new RunningParts(this.folder);

  async start(): Promise<void> {
    const port = await findFreePort();
    const settings = readSettings({ DATA_DIR: join(this.folder, 'data'), API_PORT: String(port) });
    const values = { ...settings.values, SUPABASE_DB_URL: `${databaseUrl}?sslmode=disable` };
    this.settings = { ...settings, databaseUrl, values };
    mkdirSync(settings.dataDir);
    this.describeStack();
    // No function listens here, so the backend's clock delivers nothing and the tests' welcomes stay in the outbox.
    const nobody = { 'resend-email': 1, unsubscribe: 1, 'delivery-events': 1 };
    await this.#parts.start(backend(this.settings, nobody));
  }

  /** Writes the record of a running stack, which the commands read, with some of its settings changed. */
  describeStack(changes: Partial<Settings> = {}): void {
    const settings = { ...this.settings, ...changes };
    writeRunFile({ settings, pids: {} });
  }

  async stop(): Promise<void> {
    await this.#parts.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs a command in this process: piped, with nobody to answer questions, or in a terminal where somebody types `answer` when a
   * question appears and `before` is done. Resolves to how it ended, what it printed, and both outputs as a terminal shows them.
   */
  async run(args: string[], { answer, before }: { answer?: string; before?: () => Promise<unknown> } = {}) {
    const printed = { stdout: '', stderr: '', screen: '' };
    const stdin = Object.assign(new PassThrough(), { isTTY: answer !== undefined });
    const read = (stream: 'stdout' | 'stderr') => (text: string | Uint8Array) => {
      printed[stream] += text;
      printed.screen += text;
      if (String(text).includes('[y/N]')) void Promise.resolve(before?.()).then(() => stdin.end(answer));
      return true;
    };
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation(read(stream)),
    );
    spies.push(vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never) as never);
    const outside = process.cwd();
    process.chdir(this.folder);
    process.env['DATA_DIR'] = this.settings.dataDir;
    try {
      return { status: await run(args), ...printed };
    } finally {
      process.chdir(outside);
      for (const spy of spies) spy.mockRestore();
    }
  }

  /** Runs a command that must succeed. Resolves to the JSON that it prints. */
  async read(...args: string[]): Promise<unknown> {
    const { status, stdout, stderr } = await this.run([...args, '--json']);
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  /** Starts a command as a process of its own. */
  spawn(args: string[], stdio: StdioOptions = ['ignore', 'pipe', 'pipe']): ChildProcess {
    const env = { ...process.env, DATA_DIR: this.settings.dataDir };
    return spawn(process.execPath, [program, ...args], { cwd: this.folder, env, stdio });
  }
}

/** The command line of a test file that imports this one. Each of its tests starts with the usual record of a running stack. */
export const owner = new CommandLine();
beforeAll(() => owner.start());
afterEach(() => owner.describeStack());
afterAll(() => owner.stop());

/** Accepts an address with the hashes that the functions make. */
export const acceptTruly = (email: string) => {
  const { address_hash, mailbox_hash } = hashAddress(email, [owner.settings.values.TOKEN_SECRET]);
  return sql`select accept_sign_up(${email}, ${welcome}, null, ${address_hash}, ${mailbox_hash})`;
};
