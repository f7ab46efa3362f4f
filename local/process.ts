import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StackError } from './settings.ts';

const PATIENCE = 10_000; // milliseconds for a process to stop by itself

/** Returns the path of a program in an installed package. Throws a StackError when the package is missing. */
export function findProgram(packageName: string, file: string): string {
  try {
    return join(dirname(findPackageJSON(packageName, import.meta.url)!), file);
  } catch {
    throw new StackError(
      `${packageName} is not installed. Run npm ci. If that does not help, this platform is not supported.`,
    );
  }
}

/** A process that runs as long as the stack does. */
export interface Part {
  name: string;
  /** Node by default. */
  command?: string;
  args: string[];
  /** Variables in addition to those of this process. */
  env?: Record<string, string>;
  /** The file for its output. Without one, the terminal shows errors, and everything else once the part is ready. */
  logFile?: string;
  isReady(): Promise<boolean>;
}

/** Starts a part in its own process group, so that Ctrl-C does not reach it, and its children can be stopped with it. */
export function startProcess({ command = process.execPath, args, env, logFile }: Part): ChildProcess {
  const log = logFile === undefined ? undefined : openSync(logFile, 'a');
  const child = spawn(command, args, {
    cwd: resolve(import.meta.dirname, '..'),
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', log ?? 'pipe', log ?? 'inherit'],
  });
  if (log !== undefined) closeSync(log);
  child.stdout?.resume();
  return child;
}

/** Stops a process that `startProcess` has started, and kills what it leaves behind in its group. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    // Only to the leader of the group, which stops its children in the right order. PostgreSQL would wait for its clients
    // after SIGTERM.
    child.kill('SIGINT');
    await Promise.race([ended, delay(PATIENCE, undefined, { ref: false })]);
  }
  send(-pid, 'SIGKILL');
  // Most machines reap the rest of the group in a moment; some never do.
  await waitUntil(() => !send(-pid, 0), 3_000);
}

/** Runs a Node program to its end, even after an abort. Resolves to its exit status and everything that it printed. */
export function runProgram(
  args: string[],
  options: SpawnOptions,
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', ({ message }) => (output += message));
    child.once('close', (status) => resolve({ status, output: output.trim() }));
  });
}

/** Polls for a state twenty times a second. Returns whether it was reached within `patience` milliseconds. */
export async function waitUntil(
  isState: () => boolean | Promise<boolean>,
  patience: number,
): Promise<boolean> {
  const end = Date.now() + patience;
  while (!(await isState())) {
    if (Date.now() > end) return false;
    await delay(50);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
