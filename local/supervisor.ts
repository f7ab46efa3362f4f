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
const RESTARTS = 10; // in a minute, before a part is given up
const PULSE = 2_000; // milliseconds between two looks at whether a part still does its work
const MISSES = 3; // looks in a row that found it not to, before it is started again

/** Starts parts, starts them again when they die, and stops them in the reverse order. */
export class Supervisor {
  #running = new Map<string, { part: Part; child: ChildProcess }>();
  #isStopping = false;
  #report: { onChange(parts: Record<string, ProcessIdentity>): void; onLine(line: string): void };
  #fail!: (error: Error) => void;

  /** Rejects when a part could not be kept alive; never resolves. */
  readonly failure = new Promise<never>((_, reject) => {
    this.#fail = reject;
  });

  /** `onChange` learns which processes run, `onLine` what a person should know. */
  constructor(report: {
    onChange(parts: Record<string, ProcessIdentity>): void;
    onLine(line: string): void;
  }) {
    this.#report = report;
    this.failure.catch(() => {});
  }

  /** Starts a part and waits until it is ready. @throws StackError with the end of its log when it does not get there. */
  async start(part: Part): Promise<void> {
    await this.#run(part, []);
  }

  /** Stops every part, the last one first. */
  async stopAll(): Promise<void> {
    this.#isStopping = true;
    for (let name; (name = [...this.#running.keys()].at(-1));) await this.#stop(name);
  }

  async #run(part: Part, restarts: number[]): Promise<void> {
    if (this.#isStopping) return;
    const child = startProcess(part);
    const entry = { part, child };
    this.#running.set(part.name, entry);
    this.#announce();
    const isCurrent = () => this.#running.get(part.name) === entry;
    let hasEnded = false;
    let isReady = false;
    let problem = '';
    child.once('error', (error) => {
      hasEnded = true;
      problem = error.message;
    });
    child.once('exit', () => {
      hasEnded = true;
      if (isReady && isCurrent() && !this.#isStopping) void this.#revive(part, restarts, child);
    });
    await waitUntil(async () => hasEnded || !isCurrent() || (await part.isReady()), PATIENCE);
    if (!isCurrent()) return;
    if (hasEnded || !(await part.isReady())) throw new StackError(this.#obituary(part, problem));
    isReady = true;
    void this.#watch(part, isCurrent);
  }

  /** Wrangler, for one, lives on when the engine below it dies. */
  async #watch(part: Part, isCurrent: () => boolean): Promise<void> {
    let misses = 0;
    while (misses < MISSES) {
      await delay(PULSE, undefined, { ref: false });
      if (!isCurrent()) return;
      misses = (await part.isReady()) ? 0 : misses + 1;
    }
    const child = this.#running.get(part.name)?.child;
    if (isCurrent() && child?.pid) await stopGroup(child.pid, part.stopSignal);
  }

  async #revive(part: Part, restarts: number[], dead: ChildProcess): Promise<void> {
    const recent = [...restarts, Date.now()].filter((time) => time > Date.now() - 60_000);
    try {
      if (dead.pid) await stopGroup(dead.pid, part.stopSignal);
      if (this.#isStopping) return;
      if (recent.length > RESTARTS) throw new StackError(this.#obituary(part));
      this.#report.onLine(`${part.name} stopped unexpectedly: starting it again`);
      await this.#run(part, recent);
    } catch (error) {
      const child = this.#running.get(part.name)?.child;
      if (recent.length > RESTARTS || !child) this.#fail(error as Error);
      else {
        await delay(500);
        await this.#revive(part, recent, child);
      }
    }
  }

  async #stop(name: string): Promise<void> {
    const entry = this.#running.get(name);
    this.#running.delete(name);
    this.#announce();
    if (entry?.child.pid) await stopGroup(entry.child.pid, entry.part.stopSignal);
  }

  #announce(): void {
    const parts: Record<string, ProcessIdentity> = {};
    for (const [name, { child }] of this.#running) {
      const identity = child.pid && identifyProcess(child.pid);
      if (identity) parts[name] = identity;
    }
    this.#report.onChange(parts);
  }

  #obituary({ name, logFile }: Part, problem = ''): string {
    if (problem || logFile === undefined) return `${name} did not start. ${problem}`.trim();
    const end = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
    return `${name} did not start. The end of its log (${logFile}):\n${end}`;
  }
}
