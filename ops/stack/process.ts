import { spawn } from 'node:child_process';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../values.ts';

export const astroCommand = findProgram('astro', 'bin/astro.mjs');

export const supabaseCommand = findProgram('supabase', 'dist/supabase.js');

/** The variables that keep Supabase's program from reporting its use, and from asking GitHub for a newer version every time. */
export const quietSupabase = {
  SUPABASE_NO_UPDATE_NOTIFIER: '1',
  SUPABASE_TELEMETRY_DISABLED: '1',
};

/** Returns the path of a program in an installed package. Throws an Error that names the package when it is missing. */
export function findProgram(packageName: string, file: string): string {
  return join(dirname(findPackageJSON(packageName, import.meta.url)!), file);
}

/**
 * Runs a Node program to its end: after an abort it still waits, because the program may clean up. `onLine` gets each line that
 * it prints. Resolves to its exit status and everything that it printed.
 */
export function runProgram(
  args: string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
  onLine: (line: string) => void = () => {},
): Promise<{ status: number; output: string }> {
  return new Promise((settle) => {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const child = spawn(process.execPath, args, { cwd: root, env, signal, stdio: [...stdio] });
    const lines: string[] = [];
    // wrangler colors its errors even into a pipe.
    const take = (printed: string) => {
      const line = stripVTControlCharacters(printed);
      lines.push(line);
      onLine(line);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', take);
    child.once('error', (error) => error.name === 'AbortError' || take(error.message));
    child.once('close', (status) => settle({ status: status ?? 1, output: lines.join('\n').trim() }));
  });
}

/** Polls for a state twenty times a second. Returns whether it was reached within `timeout` milliseconds. */
export async function waitUntil(isState: () => boolean | Promise<boolean>, timeout: number) {
  const end = Date.now() + timeout;
  while (!(await isState())) {
    if (Date.now() > end) return false;
    await delay(50);
  }
  return true;
}
