import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process, told apart from a later one that got the same number by when it started. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** Something that runs as long as the stack does. */
export interface Part {
  name: string;
  command: string;
  args: string[];
  options?: SpawnOptions;
  /** What asks it to stop: PostgreSQL waits for its clients on SIGTERM, and does not on SIGINT. */
  stopSignal?: NodeJS.Signals;
  /** Where its output goes; without one, to the terminal. */
  logFile?: string;
  /** Resolves to true once it does its work. */
  isReady(): Promise<boolean>;
}

/** Starts a part in a process group of its own, so that all it starts can be stopped with it. */
export function startProcess({ command, args, options, logFile }: Part): ChildProcess {
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a');
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  if (typeof log === 'number') closeSync(log);
  return child;
}

/** Stops a process group: asks first, and kills what is still there after ten seconds. */
export async function stopGroup(group: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  // To the leader alone, which stops its children in the right order; orphans have nobody to do that.
  if (!send(group, signal)) send(-group, 'SIGKILL');
  if (!(await waitUntil(() => !isGroupAlive(group), 10_000))) send(-group, 'SIGKILL');
  // Wrangler ends before its children are collected. Most machines do that in a moment, and some never.
  await waitUntil(() => !send(-group, 0), 3_000);
}

/** Waits for a state, looking twenty times a second; tells whether it came in time (milliseconds). */
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

/** Tells when a process started, or `undefined` when it does not run. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (process.platform !== 'linux') return send(pid, 0) ? { pid, startedAt: '' } : undefined;
  const status = readStatus(pid);
  return status && { pid, startedAt: status.startedAt };
}

/** Tells whether the very process still runs. */
export function isSameProcess({ pid, startedAt }: ProcessIdentity): boolean {
  return identifyProcess(pid)?.startedAt === startedAt;
}

/** Tells whether a part still runs: its process, or what it started and left behind. */
export function isPartAlive(identity: ProcessIdentity): boolean {
  return isSameProcess(identity) || (!identifyProcess(identity.pid) && isGroupAlive(identity.pid));
}

function isGroupAlive(group: number): boolean {
  if (process.platform !== 'linux') return send(-group, 0);
  // Asked of every process and not of the group: a zombie that nobody collects would keep it alive for ever.
  return listGroup(group).length > 0;
}

function listGroup(group: number): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => readStatus(pid)?.group === group);
}

/** Reads what Linux tells of a process, as in proc_pid_stat(5); a zombie counts as gone. */
function readStatus(pid: number): { group: number; startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything, so the fields are counted from its end: the third is the first here.
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
