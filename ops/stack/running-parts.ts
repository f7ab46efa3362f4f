import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../values.ts';
import { waitUntil } from './process.ts';

const START_TIMEOUT = 60_000; // milliseconds for a part to become ready
const STOP_TIMEOUT = 10_000; // milliseconds for a part to stop by itself

/** Parts call each other on this machine. Deno and wrangler would send even these calls to a proxy of the environment. */
const direct = { NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1' };

/** A process that runs as long as the stack does. */
export interface Part {
  name: string;
  /** Node by default. */
  command?: string;
  args: string[];
  /** Variables in addition to those of this process. */
  env?: Record<string, string>;
  /** Its output goes to the terminal, not to a log. */
  inTerminal?: true;
  isReady(): Promise<boolean>;
}

/** The parts of one stack, from their start to their end. */
export class RunningParts {
  #children = new Map<Part, ChildProcess>();
  #isStopping = false;
  #dataDir: string;
  #onEnd: (part: Part, log: string) => void;

  /** The logs are in the data folder. `onEnd` gets a part that was ready and has ended by itself, and the end of its log. */
  constructor(dataDir: string, onEnd: (part: Part, log: string) => void = () => {}) {
    this.#dataDir = dataDir;
    this.#onEnd = onEnd;
  }

  /** Starts a part and waits until it is ready. Throws an Error with the end of its log when it does not start. */
  async start(part: Part): Promise<void> {
    if (this.#isStopping) return;
    const logFile = part.inTerminal ? undefined : join(this.#dataDir, 'logs', `${part.name}.log`);
    const child = spawnPart(part, logFile);
    this.#children.set(part, child);
    let hasEnded = false;
    const ended = once(child, 'exit')
      .catch(({ message }) => console.error(message))
      .then(() => (hasEnded = true));
    const isSettled = async () => this.#isStopping || hasEnded || (await part.isReady());
    const isInTime = await waitUntil(isSettled, START_TIMEOUT);
    if (this.#isStopping) return;
    if (!isInTime || hasEnded) throw new Error(`${part.name} did not start.${readEnd(logFile)}`);
    void ended.then(() => this.#isStopping || this.#onEnd(part, readEnd(logFile)));
  }

  /** Stops every part, the last one first, and kills what it leaves behind in its group. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const child of [...this.#children.values()].toReversed()) await stopGroup(child);
  }

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#children].map(([{ name }, { pid = 0 }]) => [name, pid]));
  }
}

function readEnd(logFile?: string): string {
  if (logFile === undefined) return '';
  const end = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  return ` The end of its log (${logFile}):\n${end}`;
}

/** Starts a part in its own process group, so that Ctrl-C does not reach it, and its children can be stopped with it. */
function spawnPart({ command = process.execPath, args, env }: Part, logFile?: string): ChildProcess {
  if (logFile) mkdirSync(dirname(logFile), { recursive: true });
  const log = logFile ? openSync(logFile, 'a') : 'inherit';
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...direct, ...env },
    detached: true,
    stdio: ['ignore', log, log],
  });
  if (log !== 'inherit') closeSync(log);
  return child;
}

async function stopGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    // Only to the leader of the group, which stops its children in the right order. PostgreSQL would wait for its clients
    // after SIGTERM.
    child.kill('SIGINT');
    await Promise.race([ended, delay(STOP_TIMEOUT, undefined, { ref: false })]);
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left of the group.
  }
}
