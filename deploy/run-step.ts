import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeEnvFile } from './env-file.ts';
import type { Step } from './steps.ts';
import { root } from './values.ts';

/**
 * Runs a step and returns its exit status. It waits for the step even after Ctrl-C. `onLine` gets each line of output.
 *
 * `surroundings` is the environment without the deployment values.
 */
export async function runStep(
  { args, environment, file }: Step,
  surroundings: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  const path = join(folder, 'values.env');
  if (file) writeEnvFile(path, file);
  const child = spawn(process.execPath, [...args, ...(file ? [path] : [])], {
    cwd: root,
    env: { ...surroundings, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
  // After a signal the step may have to clean up, so wait for it before removing its file of values.
  let asked: NodeJS.Signals | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => child.kill((asked = signal)));
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    const ending = asked ?? signal;
    return ending ? 128 + constants.signals[ending] : (code ?? 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
