import { spawn } from 'node:child_process';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../values.ts';

/** A mistake that a person can fix. It is shown as one line, without a stack trace. */
export class StackError extends Error {}

export const astroCommand = findProgram('astro', 'bin/astro.mjs');

export const supabaseCommand = findProgram('supabase', 'dist/supabase.js');

/** The variables that keep Supabase's program from reporting its use, and from asking GitHub for a newer version every time. */
export const quietSupabase = {
  DO_NOT_TRACK: '1',
  SUPABASE_NO_UPDATE_NOTIFIER: '1',
  SUPABASE_TELEMETRY_DISABLED: '1',
};

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

interface RunOptions {
  /** Its folder: by default that of the project. */
  cwd?: string;
  env: NodeJS.ProcessEnv;
  /** Ends the program. */
  signal?: AbortSignal;
  /** Gets each line that it prints. */
  onLine?: (line: string) => void;
}

/**
 * Runs a Node program to its end: after an abort it still waits, because the program may clean up.
 * Resolves to its exit status and everything that it printed.
 */
export function runProgram(
  args: string[],
  { cwd = root, env, signal, onLine = () => {} }: RunOptions,
): Promise<{ status: number; output: string }> {
  return new Promise((settle) => {
    const child = spawn(process.execPath, args, {
      ...{ cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
      ...(signal && { signal }),
    });
    const lines: string[] = [];
    const take = (line: string) => {
      lines.push(line);
      onLine(line);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', take);
    child.once('error', (error) => error.name === 'AbortError' || take(error.message));
    child.once('close', (status) => settle({ status: status ?? 1, output: lines.join('\n').trim() }));
  });
}

/** Polls for a state twenty times a second. Returns whether it was reached within `timeout` milliseconds. */
export async function waitUntil(
  isState: () => boolean | Promise<boolean>,
  timeout: number,
): Promise<boolean> {
  const end = Date.now() + timeout;
  while (!(await isState())) {
    if (Date.now() > end) return false;
    await delay(50);
  }
  return true;
}
