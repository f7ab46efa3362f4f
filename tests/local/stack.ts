import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitUntil } from '../../local/process.ts';
import { findFreePort } from '../../local/settings.ts';

const root = resolve(import.meta.dirname, '../..');

/** `npm start` on ports and in a folder of its own. */
export class Stack {
  readonly dataDir: string;
  environment: Record<string, string> = {};
  output = '';
  #child?: ChildProcess;

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

  /** Starts it and waits until it is ready or has ended; tells which. */
  async start(): Promise<'ready' | 'ended'> {
    this.output = '';
    const child = spawn('npm', ['start'], {
      cwd: root,
      env: { ...process.env, ...this.environment, DATA_DIR: this.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdout.on('data', (chunk) => (this.output += chunk));
    child.stderr.on('data', (chunk) => (this.output += chunk));
    await waitUntil(() => this.output.includes('Ctrl-C') || child.exitCode !== null, 110_000);
    return child.exitCode === null ? 'ready' : 'ended';
  }

  /** Asks it to stop, and tells with which code it ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  remove(): void {
    rmSync(resolve(this.dataDir, '..'), { recursive: true, force: true });
  }
}
