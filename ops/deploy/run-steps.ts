import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import type { Step } from './steps.ts';
import { root } from '../values.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the steps in order until one fails. Returns that one with its exit status, and how many lines tell the owner to look. */
export async function runSteps(
  steps: Step[],
  surroundings: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<{ failed?: Step; status: number; looks: number }> {
  let looks = 0;
  for (const [index, step] of steps.entries()) {
    print(describeStep(step, index, steps));
    const status = await runStep(step, surroundings, (line) => {
      // The marks of our own programs: the step `caller`, and the probe.
      if (/^(LOOK|warning) /.test(line)) looks += 1;
      print(`    ${line}`);
    });
    if (status !== 0) return { failed: step, status, looks };
  }
  return { status: 0, looks };
}

/** Describes a step in one line, with its place in the list. */
export function describeStep({ name, purpose }: Step, index: number, steps: Step[]): string {
  return `${index + 1}/${steps.length} ${name}: ${purpose}`;
}

/** Runs a step in the given environment and returns its exit status. Even after Ctrl-C it waits for the step, which cleans up. */
async function runStep(
  { args, environment }: Step,
  surroundings: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...surroundings, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let asked: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals) => child.kill((asked = signal));
  for (const signal of signals) process.on(signal, stop);
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  for (const each of signals) process.off(each, stop);
  const ending = asked ?? signal;
  return ending ? 128 + constants.signals[ending] : (code ?? 1);
}
