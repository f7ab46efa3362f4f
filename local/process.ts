import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process. Its start time distinguishes it from a later process with the same PID. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** A process that runs as long as the stack does. */
export interface Part {
  name: string;
  command: string;
  args: string[];
  options?: SpawnOptions;
  /** The signal that stops it: PostgreSQL waits for its clients after SIGTERM, but not after SIGINT. */
  stopSignal?: NodeJS.Signals;
  /** The file for its output; the terminal by default. */
  logFile?: string;
  /** Resolves to whether it is ready. */
  isReady(): Promise<boolean>;
}

/** Starts a part in its own process group, so that its children can be stopped with it. */
export function startProcess({ command, args, options, logFile }: Part): ChildProcess {
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a');
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  if (typeof log === 'number') closeSync(log);
  return child;
}

/** Stops a process group. Kills what still runs after ten seconds. */
export async function stopGroup(group: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  // Only to the leader, which stops its children in the right order. Without a leader, kill the orphans.
  if (!send(group, signal)) send(-group, 'SIGKILL');
  if (!(await waitUntil(() => !isGroupAlive(group), 10_000))) send(-group, 'SIGKILL');
  // Wrangler exits before its children are reaped. Most machines reap them in a moment, some never do.
  await waitUntil(() => !send(-group, 0), 3_000);
}

/** Polls for a state twenty times a second. Returns whether it came within `patience` milliseconds. */
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
  if (process.platform !== 'linux') return send(pid, 0) ? { pid, startedAt: '' } : undefined;
  const status = readStatus(pid);
  return status && { pid, startedAt: status.startedAt };
}

/** Returns whether exactly this process still runs. */
export function isSameProcess({ pid, startedAt }: ProcessIdentity): boolean {
  return identifyProcess(pid)?.startedAt === startedAt;
}

/** Returns whether a part still runs: its process, or children that it left behind. */
export function isPartAlive(identity: ProcessIdentity): boolean {
  return isSameProcess(identity) || (!identifyProcess(identity.pid) && isGroupAlive(identity.pid));
}

function isGroupAlive(group: number): boolean {
  if (process.platform !== 'linux') return send(-group, 0);
  // Checks each process instead of the group, because an unreaped zombie would keep the group alive forever.
  return listGroup(group).length > 0;
}

function listGroup(group: number): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => readStatus(pid)?.group === group);
}

/** Reads the state of a process on Linux, see proc_pid_stat(5). A zombie counts as gone. */
function readStatus(pid: number): { group: number; startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything, so skip it: the first field here is the third of the file.
    const [state, , group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : { group: Number(group), startedAt: rest[16] ?? '' };
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
