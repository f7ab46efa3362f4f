import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Part, startProcess, stopProcess, waitUntil } from './process.ts';
import { StackError } from './settings.ts';

const PATIENCE = 60_000; // milliseconds for a part to become ready

export class RunningParts {
  #children = new Map<Part, ChildProcess>();
  #isStopping = false;
  #onEnd: (part: Part) => void;

  /** `onEnd` gets a part that was ready and has ended by itself. */
  constructor(onEnd: (part: Part) => void = () => {}) {
    this.#onEnd = onEnd;
  }

  /** Starts a part and waits until it is ready. Throws a StackError with the end of its log when it does not start. */
  async start(part: Part): Promise<void> {
    if (this.#isStopping) return;
    const child = startProcess(part);
    this.#children.set(part, child);
    let hasEnded = false;
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', ({ message }) => resolve(console.error(message)));
    }).then(() => (hasEnded = true));
    const isSettled = async () => this.#isStopping || hasEnded || (await part.isReady());
    const isInTime = await waitUntil(isSettled, PATIENCE);
    if (this.#isStopping) return;
    if (!isInTime || hasEnded) throw new StackError(`${part.name} did not start.${readEnd(part)}`);
    child.stdout?.pipe(process.stdout);
    void ended.then(() => this.#isStopping || this.#onEnd(part));
  }

  /** Stops every part, the last one first. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const child of [...this.#children.values()].toReversed()) await stopProcess(child);
  }

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#children].map(([{ name }, { pid = 0 }]) => [name, pid]));
  }
}

/** Reads the end of a part's log, as the end of a message. */
export function readEnd({ logFile }: Part): string {
  if (logFile === undefined) return '';
  const end = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  return ` The end of its log (${logFile}):\n${end}`;
}
