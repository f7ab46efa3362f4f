import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { ensureBrowser } from '../tests/browser.ts';

/** Draws the creator dashboard: src/assets/dashboard.html into dashboard.png beside it, sharp on dense screens. */
const page = (extension: string) => new URL(`../src/assets/dashboard.${extension}`, import.meta.url);
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const tab = await browser.newPage({ viewport: { width: 1200, height: 840 }, deviceScaleFactor: 2 });
  await tab.goto(page('html').href);
  await tab.evaluate(() => document.fonts.ready);
  await tab.screenshot({ path: fileURLToPath(page('png')) });
} finally {
  await browser.close();
}
