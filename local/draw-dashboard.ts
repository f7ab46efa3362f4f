import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { findBrowser } from './browser.ts';

/**
 * Draws the creator dashboard: src/assets/dashboard.html into dashboard.png beside it, sharp on dense screens, and into
 * the smaller files that browsers choose from. They are committed, because making them takes longer than a whole build.
 */
const file = (name: string) => new URL(`../src/assets/${name}`, import.meta.url);
const picture = fileURLToPath(file('dashboard.png'));
const widths = [960, 1920];

const browser = await chromium.launch({ executablePath: findBrowser() });
try {
  const tab = await browser.newPage({ viewport: { width: 960, height: 876 }, deviceScaleFactor: 2 });
  await tab.goto(file('dashboard.html').href);
  await tab.evaluate(() => document.fonts.ready);
  await tab.screenshot({ path: picture });
} finally {
  await browser.close();
}
for (const width of widths) {
  const smaller = sharp(picture).resize(width).avif();
  await smaller.toFile(fileURLToPath(file(`dashboard-${width}.avif`)));
}
