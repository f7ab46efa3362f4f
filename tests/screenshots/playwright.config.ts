import { defineConfig } from '@playwright/test';
import { findBrowser } from '../browser.ts';

const results = '../results/screenshots';

/** Compares the screenshots of a built site, whose folder is in SITE_FOLDER, with those that were taken last. */
export default defineConfig({
  outputDir: `${results}/differences`,
  snapshotPathTemplate: `{testDir}/${results}/{arg}{ext}`,
  fullyParallel: true,
  workers: 2,
  expect: { timeout: 30_000 },
  reporter: [['dot'], ['html', { outputFolder: `${results}/report`, open: 'never' }]],
  // Chromium does not pass emulated reduced motion on to pictures.
  use: { launchOptions: { executablePath: findBrowser(), args: ['--force-prefers-reduced-motion'] } },
});
