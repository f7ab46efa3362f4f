import { spawnSync } from 'node:child_process';
import { chromium } from '@playwright/test';
import { findProgram } from '../ops/stack/process.ts';

/** A Chromium without windows. Its pages open in half of the time. */
const SHELL = 'chromium-headless-shell';

/** Finds a Chromium: from CHROME_PATH, on the PATH, or Playwright's own. */
export function findBrowser(): string | undefined {
  const { stdout } = spawnSync('which', [SHELL, 'chromium', 'google-chrome'], { encoding: 'utf8' });
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
  console.log(
    `The tests need Chromium, and this machine has none. Installing it: ${command} ${args.join(' ')}`,
  );
  spawnSync(command, args, { stdio: 'inherit' });
}

if (import.meta.main) {
  // System packages only as root, as in a container. Anybody else decides about them.
  const isRoot = process.getuid?.() === 0;
  const playwright = findProgram('@playwright/test', 'cli.js');
  install(process.execPath, [playwright, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium']);
  if (isRoot) install('sh', ['-c', 'apt-get update; apt-get install --yes ' + SHELL]);
  if (!findBrowser()) {
    console.error(
      'Chromium could not be installed. Type: sudo npx playwright install --with-deps chromium\nOr set CHROME_PATH to the path of a Chromium.',
    );
    process.exit(1);
  }
}
