import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, firefox, webkit } from '@playwright/test';
import { findFreePort } from '../ops/stack/settings.ts';
import { findBrowser } from './browser.ts';

const root = resolve(import.meta.dirname, '..');

process.env['NODE_COMPILE_CACHE'] ??= resolve(root, 'node_modules/.cache/node');

// Chosen once: test processes read this file again, and inherit the choice.
const ports = ['SITE_PORT', 'API_PORT', 'DB_PORT', 'INBOX_PORT'];
for (const name of ports) {
  process.env[`TEST_${name}`] ??= String(await findFreePort());
}
if (!process.env['TEST_DATA_DIR']) {
  process.env['TEST_DATA_DIR'] = resolve(import.meta.dirname, 'results/stack');
  rmSync(process.env['TEST_DATA_DIR'], { recursive: true, force: true });
  process.on('exit', sayWhatIsMissing);
}
const read = (name: string) => process.env[`TEST_${name}`] ?? '';

/** Tests of what a visitor does. They also run in the engines of Firefox and Safari; all others only in Chromium. */
const flows =
  /(extensions|international|landing|unsubscribe|modals|outcomes|policy|sign-up|translation)\.spec\.ts$/;
const others = { firefox, webkit };
const names = Object.keys(others) as (keyof typeof others)[];
const installed = names.filter((name) => existsSync(others[name].executablePath()));

export default defineConfig({
  testDir: 'pages',
  testMatch: '**/*.spec.ts',
  outputDir: 'results/playwright',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'results/playwright.json' }]],
  use: {
    baseURL: `http://localhost:${read('SITE_PORT')}`,
    viewport: { width: 1440, height: 900 },
    // Without a graphics card, motion takes a third of the time of the tests. Tests about motion turn it on.
    reducedMotion: 'reduce',
    // Traces would make the tests take a quarter longer. To see more of a failure, add --trace on.
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'chromium',
      use: {
        // A new context for each test would take a fifth longer. Pages store nothing that the next test could find.
        reuseContext: true,
        launchOptions: {
          executablePath: findBrowser(),
          args: [
            '--disable-gpu',
            // Pictures do not know of the reduced motion above. To paint theirs would take as long as all else that opens a page.
            '--force-prefers-reduced-motion',
            // Chromium would render two hidden pages of its address bar for every window, and the tests would take a third longer.
            // Puppeteer turns them off too (https://github.com/puppeteer/puppeteer/pull/15278). This replaces Playwright's list.
            '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
          ],
        },
      },
    },
    ...installed.map((name) => ({ name, testMatch: flows, use: { browserName: name } })),
  ],
  webServer: {
    command: 'exec node ops/stack/start.ts',
    cwd: root,
    url: `http://localhost:${read('SITE_PORT')}`,
    timeout: 120_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
    env: Object.fromEntries([...ports, 'DATA_DIR'].map((name) => [name, read(name)])),
  },
});

/** Prints in which browsers nothing was tested, and how to install them. */
function sayWhatIsMissing(): void {
  const missing = names.filter((name) => !installed.includes(name));
  if (missing.length === 0) return;
  const command = `npx playwright install --with-deps ${missing.join(' ')}`;
  console.log(
    `\n  Not tested in ${missing.join(' and ')}, which this machine lacks. To install: ${command}\n`,
  );
}
