import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Step } from './steps.ts';
import { root } from './values.ts';

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

export function describeStep({ name, purpose }: Step, index: number, steps: Step[]): string {
  return `${index + 1}/${steps.length} ${name}: ${purpose}`;
}

/** Runs a step in the given environment and returns its exit status. Ctrl-C reaches the step by itself, which then cleans up. */
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
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
