import { spawnSync } from 'node:child_process';
import { chromium } from '@playwright/test';
import { findProgram } from './process.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Finds a Chromium: from CHROME_PATH, on the PATH, or Playwright's own. */
export function findBrowser(): string | undefined {
  const { stdout } = spawnSync('which', names, { encoding: 'utf8' });
  const installed = (stdout ?? '').split('\n').filter(Boolean);
  return process.env['CHROME_PATH'] || [...installed, chromium.executablePath()].find(isUsable);
}

/** Returns whether a browser runs. An installed one may still lack system libraries. */
function isUsable(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Runs a command that installs a Chromium, unless there is one by now. */
function install(command: string, args: string[]): void {
  if (findBrowser()) return;
  console.log(`No Chromium found. Running: ${command} ${args.join(' ')}`);
  spawnSync(command, args, { stdio: 'inherit' });
}

if (import.meta.main) {
  const isRoot = process.getuid?.() === 0;
  const sudo = isRoot ? '' : 'sudo --non-interactive ';
  const playwright = findProgram('@playwright/test', 'cli.js');
  install(process.execPath, [playwright, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium']);
  install('sh', ['-c', `${sudo}apt-get update; ${sudo}apt-get install --yes chromium`]);
  if (!findBrowser()) {
    console.error(
      'No Chromium could be found or installed. Install it, or set CHROME_PATH to the path of its program.',
    );
    process.exit(1);
  }
}
