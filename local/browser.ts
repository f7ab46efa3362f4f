import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { findProgram } from './process.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Finds a Chromium: from CHROME_PATH, on the PATH, or Playwright's own. */
export function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const installed = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isUsable);
  const own = chromium.executablePath();
  return process.env['CHROME_PATH'] || installed || (isUsable(own) ? own : undefined);
}

/**
 * Finds a Chromium, or installs one: Playwright's own, or else Debian's package.
 *
 * @throws Error that says what to do when neither can be installed.
 */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  const playwright = findProgram('@playwright/test', 'cli.js');
  run(process.execPath, [playwright, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium']);
  if (!findBrowser()) {
    const sudo = isRoot ? '' : 'sudo --non-interactive ';
    run('sh', ['-c', `${sudo}apt-get update; ${sudo}apt-get install --yes chromium`]);
  }
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error('No Chromium could be found or installed. Install one, or set CHROME_PATH to its program.');
}

function run(command: string, args: string[]): void {
  console.log(`No Chromium found. Running: ${command} ${args.join(' ')}`);
  spawnSync(command, args, { stdio: 'inherit' });
}

/** Returns whether a browser runs. An installed one may still lack system libraries. */
function isUsable(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
}

if (import.meta.main) {
  try {
    console.log(`The tests run in ${ensureBrowser()}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
