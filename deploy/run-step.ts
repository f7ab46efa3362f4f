import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeEnvFile } from './env-file.ts';
import type { Step } from './steps.ts';
import { root } from './values.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a step in the given environment and returns its exit status. It waits for the step even after Ctrl-C. */
export async function runStep(
  { args, environment, file }: Step,
  surroundings: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  let child: ChildProcess | undefined;
  let asked: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals) => child?.kill((asked = signal));
  // After a signal the step may have to clean up, so wait for it before removing its file of values.
  for (const signal of signals) process.on(signal, stop);
  try {
    const path = join(folder, 'values.env');
    if (file) writeEnvFile(path, file);
    child = spawn(process.execPath, [...args, ...(file ? [path] : [])], {
      cwd: root,
      env: { ...surroundings, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout!, child.stderr!]) createInterface(stream).on('line', onLine);
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    const ending = asked ?? signal;
    return ending ? 128 + constants.signals[ending] : (code ?? 1);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    rmSync(folder, { recursive: true, force: true });
  }
}
