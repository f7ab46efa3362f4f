import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import sharp, { type Sharp } from 'sharp';
import { findBrowser } from '../stack/browser.ts';

type Format = (image: Sharp) => Sharp;

/** The files that browsers choose from: for phones, for simple screens, for dense ones, and for browsers without AVIF. */
const formats: Record<string, Format> = {
  'dashboard-phone.avif': (image) => image.avif({ quality: 42 }),
  'dashboard-960.avif': (image) => image.resize(960).avif(),
  'dashboard-1920.avif': (image) => image.avif(),
  'dashboard.png': (image) => image.png({ palette: true }),
};

/** Photographs the creator dashboard in a browser, sharp on dense screens, and makes one of its files. */
export async function drawDashboard(page: string, name: string): Promise<Buffer> {
  const browser = await chromium.launch({ executablePath: findBrowser() });
  try {
    // The page shows phones a part that they can read.
    const viewport = name.includes('phone') ? { width: 480, height: 380 } : { width: 960, height: 876 };
    const tab = await browser.newPage({ viewport, deviceScaleFactor: 2 });
    await tab.goto(pathToFileURL(page).href);
    await tab.evaluate(() => document.fonts.ready);
    return await formats[name]!(sharp(await tab.screenshot())).toBuffer();
  } finally {
    await browser.close();
  }
}
