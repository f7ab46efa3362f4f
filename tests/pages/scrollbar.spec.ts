import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { test } from './landing-page.ts';

const EDGE = 40; // pixels at the right: the scrollbar and a part of the page
const DARK = 128; // of 255: everything behind a modal is darker than this, in both schemes

test.use({
  // Classic scrollbars take up space. Playwright hides them, and to restart the browser of all tests would take longer.
  page: async ({ playwright, launchOptions, baseURL }, use) => {
    const ignoreDefaultArgs = ['--hide-scrollbars'];
    const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs });
    await use(await browser.newPage({ baseURL, viewport: { width: 1024, height: 700 } }));
    await browser.close();
  },
});

/** Finds the brightest channel of the brightest pixel at the right edge of the screen: 0 to 255. */
async function findBrightness(page: Page): Promise<number> {
  const { width, height } = page.viewportSize()!;
  const picture = await page.screenshot({ clip: { x: width - EDGE, y: 0, width: EDGE, height } });
  const { channels } = await sharp(picture).removeAlpha().stats();
  return Math.max(...channels.map(({ max }) => max));
}

test('behind a modal, the page neither moves nor shows a light strip', async ({ page, landing }) => {
  await landing.fake({});
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await landing.open();
    await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme);
    const place = await landing.hero.field.boundingBox();
    for (const open of [() => landing.menu.open(), () => landing.join()]) {
      await open();
      await page.mouse.move(100, 600);
      await page.mouse.wheel(0, 200);
      await expect.poll(() => findBrightness(page)).toBeLessThan(DARK);
      expect(await landing.hero.field.boundingBox()).toEqual(place);
      await page.keyboard.press('Escape');
    }
  }
});
