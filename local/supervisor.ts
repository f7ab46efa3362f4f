import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
const RESTARTS = 10; // of one part within a minute, before the stack gives up

/** Starts parts, restarts those that end unexpectedly, and stops them in reverse order. */
export class Supervisor {
  #running = new Map<string, { part: Part; child: ChildProcess }>();
  #restarts = new Map<string, number[]>();
  #isStopping = false;
  #report: { onChange(parts: Record<string, ProcessIdentity>): void; onLine(line: string): void };
  #failure = Promise.withResolvers<never>();

  /** Rejects when a part cannot be restarted. Never resolves. */
  readonly failure = this.#failure.promise;

  /** `onChange` gets the running processes, `onLine` a message for a person. */
  constructor(report: {
    onChange(parts: Record<string, ProcessIdentity>): void;
    onLine(line: string): void;
  }) {
    this.#report = report;
    this.failure.catch(() => {});
  }

  /** Starts a part and waits until it is ready. @throws StackError with the end of its log when it does not start. */
  async start(part: Part): Promise<void> {
    if (this.#isStopping) return;
    const child = startProcess(part);
    this.#running.set(part.name, { part, child });
    this.#announce();
    const end: { reason?: string } = {};
    const ended = new Promise<void>((resolve) => {
      child.once('error', ({ message }) => resolve(void (end.reason = message)));
      child.once('exit', () => resolve(void (end.reason = '')));
    });
    const isSettled = async () => this.#isStopping || end.reason !== undefined || (await part.isReady());
    const isInTime = await waitUntil(isSettled, PATIENCE);
    if (this.#isStopping) return;
    if (!isInTime || end.reason !== undefined) throw new StackError(describeFailure(part, end.reason));
    void ended.then(() => this.#restart(part, child));
  }

  /** Stops every part, the last one first. */
  async stopAll(): Promise<void> {
    this.#isStopping = true;
    for (const [name, { part, child }] of [...this.#running].toReversed()) {
      if (child.pid) await stopGroup(child.pid, part.stopSignal);
      this.#running.delete(name);
      this.#announce();
    }
  }

  async #restart(part: Part, { pid }: ChildProcess): Promise<void> {
    if (this.#isStopping) return;
    try {
      const restarts = (this.#restarts.get(part.name) ?? []).filter((at) => at > Date.now() - 60_000);
      this.#restarts.set(part.name, [...restarts, Date.now()]);
      if (restarts.length >= RESTARTS) throw new StackError(describeFailure(part));
      this.#report.onLine(`${part.name} stopped unexpectedly. Starting it again.`);
      // Its children may still run and occupy its port.
      if (pid) await stopGroup(pid, part.stopSignal);
      // PostgreSQL refuses to start until every process of its predecessor has noticed the crash.
      await this.start(part).catch(() => this.#restart(part, this.#running.get(part.name)!.child));
    } catch (error) {
      this.#failure.reject(error);
    }
  }

  #announce(): void {
    const parts: Record<string, ProcessIdentity> = {};
    for (const [name, { child }] of this.#running) {
      const identity = child.pid && identifyProcess(child.pid);
      if (identity) parts[name] = identity;
    }
    this.#report.onChange(parts);
  }
}

function describeFailure({ name, logFile }: Part, reason = ''): string {
  if (reason || logFile === undefined) return `${name} did not start. ${reason}`.trim();
  const end = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  return `${name} did not start. The end of its log (${logFile}):\n${end}`;
}
