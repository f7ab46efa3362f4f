import { defineConfig } from '@playwright/test';
import { findBrowser } from '../../ops/stack/browser.ts';

const results = '../results/screenshots';

/** Compares the screenshots of a built site, whose folder is in SITE_FOLDER, with those that were taken last. */
export default defineConfig({
  testDir: '.',
  outputDir: `${results}/differences`,
  snapshotPathTemplate: `{testDir}/${results}/{arg}{ext}`,
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 30_000 },
  reporter: [['dot'], ['html', { outputFolder: `${results}/report`, open: 'never' }]],
  use: {
    launchOptions: {
      executablePath: findBrowser(),
      // Chromium does not pass emulated reduced motion on to pictures.
      args: ['--force-prefers-reduced-motion'],
    },
  },
});
