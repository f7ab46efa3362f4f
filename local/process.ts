import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StackError } from './settings.ts';

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

/** A process. Its start time distinguishes it from a later process with the same PID. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** A process that runs as long as the stack does. */
export interface Part {
  name: string;
  /** Node by default. */
  command?: string;
  args: string[];
  /** Variables in addition to those of this process. */
  env?: Record<string, string>;
  /** The file for its output; the terminal by default. */
  logFile?: string;
  isReady(): Promise<boolean>;
}

/** Starts a part in its own process group, so that its children can be stopped with it. */
export function startProcess({ command = process.execPath, args, env, logFile }: Part): ChildProcess {
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a');
  const child = spawn(command, args, {
    cwd: resolve(import.meta.dirname, '..'),
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', log, log],
  });
  if (typeof log === 'number') closeSync(log);
  return child;
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

/** Stops a process, and kills it after ten seconds. Kills what it leaves behind in its group. */
export async function stopGroup(pid: number): Promise<void> {
  // Only to the leader of the group, which stops its children in the right order. PostgreSQL would wait for its clients
  // after SIGTERM.
  send(pid, 'SIGINT');
  await waitUntil(() => !identifyProcess(pid), 10_000);
  send(-pid, 'SIGKILL');
  // Most machines reap the rest of the group in a moment; some never do.
  await waitUntil(() => !send(-pid, 0), 3_000);
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

/** Returns the identity of a running process; `undefined` when it does not run. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (process.platform !== 'linux') {
    // The same format whatever the shell's language and time zone are.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env });
    const startedAt = (stdout ?? '').trim();
    return startedAt ? { pid, startedAt } : undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5). The name in brackets may contain anything, so skip it: the first field here is the third of the file.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [isZombie, startedAt = ''] = [fields[0] === 'Z', fields[19]];
    return isZombie ? undefined : { pid, startedAt };
  } catch {
    return undefined;
  }
}

/** Returns whether exactly this process still runs. */
export function isSameProcess({ pid, startedAt }: ProcessIdentity): boolean {
  return identifyProcess(pid)?.startedAt === startedAt;
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
