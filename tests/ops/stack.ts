import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitUntil } from '../../ops/stack/process.ts';
import { findFreePort, tryPort, writeDatabaseUrl } from '../../ops/stack/settings.ts';

const root = resolve(import.meta.dirname, '../..');

/** A local stack with its own ports and data folder. */
export class Stack {
  /** Runs the command itself: npm would take another third of a second. */
  command = [process.execPath, 'ops/stack/start.ts'];
  readonly dataDir: string;
  /** The project that it runs. */
  folder = root;
  environment: Record<string, string> = {};
  output = '';
  #child?: ChildProcess;
  #closed?: Promise<unknown>;

  constructor(dataDir = join(mkdtempSync(join(tmpdir(), 'waitlist-stack-')), 'data')) {
    this.dataDir = dataDir;
  }

  async choosePorts(): Promise<void> {
    const names = ['SITE_PORT', 'API_PORT', 'DB_PORT', 'INBOX_PORT'];
    for (const name of names) this.environment[name] = String(await findFreePort());
  }

  url(name: 'SITE_PORT' | 'API_PORT' | 'INBOX_PORT', path = '/'): string {
    return `http://127.0.0.1:${this.environment[name]}${path}`;
  }

  get databaseUrl(): string {
    return writeDatabaseUrl(this.environment['DB_PORT']!);
  }

  /** For each of its ports that cannot be used, why. */
  async usedPorts(): Promise<string[]> {
    const ports = Object.entries(this.environment).filter(([name]) => name.endsWith('_PORT'));
    const codes = await Promise.all(ports.map(([, port]) => tryPort(Number(port))));
    return codes.filter((code) => code !== undefined);
  }

  /** Starts it and waits until it is ready or has ended. Resolves to what happened, which may be neither. */
  async start(): Promise<'ready' | 'ended' | 'late'> {
    this.output = '';
    const [program = '', ...args] = this.command;
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...process.env, ...this.environment, DATA_DIR: this.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let hasClosed = false;
    this.#closed = once(child, 'close').then(() => (hasClosed = true));
    child.stdout.on('data', (chunk) => (this.output += chunk));
    child.stderr.on('data', (chunk) => (this.output += chunk));
    // A process can exit before everything that it printed has been read.
    const isInTime = await waitUntil(() => this.output.includes('Ctrl-C') || hasClosed, 110_000);
    return child.exitCode === null ? (isInTime ? 'ready' : 'late') : 'ended';
  }

  /** Stops it, and waits until everything that it printed has been read. Resolves to its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child?.kill(signal);
    return this.end();
  }

  /** Waits until it has ended by itself. Resolves to its exit code. */
  async end(): Promise<number | null> {
    await this.#closed;
    return this.#child?.exitCode ?? null;
  }

  remove(): void {
    rmSync(resolve(this.dataDir, '..'), { recursive: true, force: true });
  }
}
