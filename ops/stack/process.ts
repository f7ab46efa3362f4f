import { type SpawnOptions, spawn } from 'node:child_process';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StackError } from './settings.ts';

/** Returns the path of a program in an installed package. Throws a StackError when the package is missing. */
export function findProgram(packageName: string, file: string): string {
  try {
    return join(dirname(findPackageJSON(packageName, import.meta.url)!), file);
  } catch {
    throw new StackError(
      `${packageName} is not installed. Run npm ci. If that does not help, this platform is not supported.`,
    );
  }
}

/** Runs a Node program to its end, even after an abort. Resolves to its exit status and everything that it printed. */
export function runProgram(
  args: string[],
  options: SpawnOptions,
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', ({ message }) => (output += message));
    child.once('close', (status) => resolve({ status, output: output.trim() }));
  });
}

/** Polls for a state twenty times a second. Returns whether it was reached within `patience` milliseconds. */
export async function waitUntil(
  isState: () => boolean | Promise<boolean>,
  patience: number,
): Promise<boolean> {
  const end = Date.now() + patience;
  while (!(await isState())) {
    if (Date.now() > end) return false;
    await delay(50);
  }
  return true;
}
