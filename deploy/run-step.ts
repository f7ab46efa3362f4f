import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeEnvFile } from './env-file.ts';
import type { Step } from './steps.ts';
import { root } from './values.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  try {
    const path = join(folder, 'values.env');
    if (file) writeEnvFile(path, file);
    return await run([...args, ...(file ? [path] : [])], { ...surroundings, ...environment }, onLine);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(args: string[], env: NodeJS.ProcessEnv, onLine: (line: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
    // After a signal the step may have to clean up, so wait for it before removing its file of values.
    let asked: NodeJS.Signals | undefined;
    const stop = (signal: NodeJS.Signals) => {
      asked = signal;
      child.kill(signal);
    };
    for (const signal of signals) process.on(signal, stop);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const each of signals) process.off(each, stop);
      const ending = asked ?? signal;
      resolve(ending ? 128 + constants.signals[ending] : (code ?? 1));
    });
  });
}
