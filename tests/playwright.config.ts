import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findFreePort } from '../local/settings.ts';
import { findBrowser } from '../local/browser.ts';

const root = resolve(import.meta.dirname, '..');

// Chosen once: the tests' own processes read this file again, and inherit what was chosen.
for (const name of ['SITE_PORT', 'API_PORT', 'DB_PORT', 'INBOX_PORT']) {
  process.env[`TEST_${name}`] ??= String(await findFreePort());
}
if (!process.env['TEST_DATA_DIR']) {
  process.env['TEST_DATA_DIR'] = resolve(import.meta.dirname, 'results/stack');
  rmSync(process.env['TEST_DATA_DIR'], { recursive: true, force: true });
}
const read = (name: string) => process.env[`TEST_${name}`] ?? '';

export default defineConfig({
  testDir: 'e2e',
  snapshotPathTemplate: 'pictures/{arg}{ext}',
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
    trace: 'retain-on-failure',
    launchOptions: {
      ...(findBrowser() && { executablePath: findBrowser() }),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: 'exec node local/start.ts',
    cwd: root,
    url: `http://localhost:${read('SITE_PORT')}`,
    timeout: 120_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
    env: {
      SITE_PORT: read('SITE_PORT'),
      API_PORT: read('API_PORT'),
      DB_PORT: read('DB_PORT'),
      INBOX_PORT: read('INBOX_PORT'),
      DATA_DIR: read('DATA_DIR'),
    },
  },
});
