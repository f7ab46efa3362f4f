import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  identifyProcess,
  type Part,
  type ProcessIdentity,
  startProcess,
  stopGroup,
  waitUntil,
} from './process.ts';
import { StackError } from './settings.ts';

const PATIENCE = 60_000; // milliseconds for a part to become ready
const PAUSE = 500; // milliseconds before a part that ended starts again

/** Starts parts, restarts those that end unexpectedly, and stops them in reverse order. */
export class Supervisor {
  #children = new Map<Part, ChildProcess>();
  #isStopping = false;
  #onChange: (parts: Record<string, ProcessIdentity>) => void;

  /** `onChange` gets the running processes by the names of their parts. */
  constructor(onChange: (parts: Record<string, ProcessIdentity>) => void = () => {}) {
    this.#onChange = onChange;
  }

  /** Starts a part and waits until it is ready. Throws a StackError with the end of its log when it does not start. */
  async start(part: Part): Promise<void> {
    if (this.#isStopping) return;
    let hasEnded = false;
    const ended = this.#run(part).then(() => (hasEnded = true));
    const isSettled = async () => this.#isStopping || hasEnded || (await part.isReady());
    const isInTime = await waitUntil(isSettled, PATIENCE);
    if (this.#isStopping) return;
    if (!isInTime || hasEnded) throw new StackError(describeFailure(part));
    void ended.then(() => this.#keepRunning(part));
  }

  /** Stops every part, the last one first. */
  async stopAll(): Promise<void> {
    this.#isStopping = true;
    for (const part of [...this.#children.keys()].toReversed()) await this.#stop(part);
  }

  /** Starts the process of a part. Resolves when it has ended. */
  #run(part: Part): Promise<void> {
    const child = startProcess(part);
    this.#children.set(part, child);
    this.#announce();
    return new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', ({ message }) => resolve(console.error(message)));
    });
  }

  async #keepRunning(part: Part): Promise<void> {
    while (!this.#isStopping) {
      console.error(`  ${part.name} stopped unexpectedly. Starting it again.`);
      // Its children may still run and occupy its port.
      await this.#stop(part);
      await delay(PAUSE);
      if (!this.#isStopping) await this.#run(part);
    }
  }

  async #stop(part: Part): Promise<void> {
    // Missing if the restart of the part has already removed it.
    const pid = this.#children.get(part)?.pid;
    if (pid) await stopGroup(pid);
    this.#children.delete(part);
    this.#announce();
  }

  #announce(): void {
    const running = [...this.#children].flatMap(([{ name }, { pid }]) => {
      const identity = pid && identifyProcess(pid);
      return identity ? [[name, identity] as const] : [];
    });
    this.#onChange(Object.fromEntries(running));
  }
}

function describeFailure({ name, logFile }: Part): string {
  if (logFile === undefined) return `${name} did not start.`;
  const end = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  return `${name} did not start. The end of its log (${logFile}):\n${end}`;
}
