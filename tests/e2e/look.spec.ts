import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { fillHtml } from '../../ground/fill-template.ts';
import { welcome } from '../../ground/welcome.ts';
import { hashContent, readWords } from '../words.ts';
import { LandingPage, reply } from './landing-page.ts';

// Pixels are equal only with the same browser, fonts and words. Different words are not a mistake, and an editor does
// not have to renew the pictures. A run that skips the comparison says so.
const origin = resolve(import.meta.dirname, '../pictures/origin.json');
const isRenewing = process.env['PICTURES'] === 'renew';
let isComparable = isRenewing;

test.use({
  reducedMotion: 'reduce',
  colorScheme: 'dark',
  // Chromium does not pass emulated reduced motion on to pictures, so the drop of the hero would still land.
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--force-prefers-reduced-motion'] }),
});

test.beforeAll(async ({ browser }) => {
  const here = { ...(await describeRenderer(browser)), words: hashContent() };
  if (isRenewing) return writeFileSync(origin, `${JSON.stringify(here, null, 2)}\n`);
  const there = existsSync(origin) ? JSON.parse(readFileSync(origin, 'utf8')) : {};
  isComparable = JSON.stringify(there) === JSON.stringify(here);
  if (!isComparable) {
    const [made, now] = [JSON.stringify(there), JSON.stringify(here)];
    console.log(
      `Pictures were not compared: they were made with ${made}, and this is ${now}. Look at the pages, then npm run pictures.`,
    );
  }
});

test.beforeEach(() =>
  test.skip(!isComparable, 'the pictures come from another browser, other fonts or other words'),
);

const pages = {
  about: '/about',
  support: '/support',
  'terms-of-use': '/terms-of-use',
  'privacy-policy': '/privacy-policy',
  welcome: '/welcome/visitor%40example.org',
  leave: '/leave',
};

for (const [width, height] of [
  [360, 740],
  [768, 1024],
  [1440, 900],
] as const) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height } });

    test('the landing page looks as it did, in both schemes', async ({ page }) => {
      test.slow();
      await page.goto('/');
      await compare(page, `first-sight-${width}`, 'screen');
      await compare(page, `landing-${width}`, 'page');
      await page.emulateMedia({ colorScheme: 'light' });
      await compare(page, `landing-light-${width}`, 'page');
    });

    test('the menu and an open question look as they did', async ({ page }) => {
      await page.goto('/');
      await new LandingPage(page).menu.open();
      // Away from the button that was clicked, which would be lit.
      await page.mouse.move(0, 0);
      await compare(page, `menu-${width}`, 'screen');
      await page.goto('/');
      await page.locator('#faq summary').nth(1).click();
      await page.locator('#faq').scrollIntoViewIfNeeded();
      await compare(page, `question-${width}`, 'screen');
    });

    test('the other pages and the welcome email look as they did', async ({ page }) => {
      test.slow();
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(path);
        await compare(page, `${name}-${width}`, 'page');
      }
      const values = { address: 'visitor@example.org', unsubscribeAddress: 'unsubscribe@example.org' };
      await page.goto('about:blank');
      await page.setContent(fillHtml(welcome.html, values));
      await compare(page, `email-${width}`, 'page');
    });

    test('a sign-up in progress, and the success modal, look as they did', async ({ page }) => {
      const landing = new LandingPage(page);
      const gate = Promise.withResolvers<void>();
      await landing.fake({
        welcome: async (route) => (await gate.promise, reply(route, 200, '{}')),
      });
      await landing.open();
      await landing.hero.submit('visitor@example.org');
      await expect(landing.hero.button).toHaveText(readWords('waitlistForm').sending);
      await compare(page, `joining-${width}`, 'screen');
      gate.resolve();
      await expect(landing.success).toBeVisible();
      await page.mouse.move(0, 0);
      await compare(page, `joined-${width}`, 'screen');
    });
  });
}

/** Compares without stopping at a difference, so that one run shows all of them. */
async function compare(page: Page, name: string, extent: 'page' | 'screen'): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const image of document.images) {
      image.loading = 'eager';
      // Otherwise a picture may be missing when the browser draws the whole page for a screenshot.
      image.decoding = 'sync';
    }
  });
  // Decoding fails when a picture's source changes in the meantime, as it does with the color scheme.
  await expect(() =>
    page.evaluate(() => Promise.all([...document.images].map((image) => image.decode()))),
  ).toPass();
  const options = { fullPage: extent === 'page', maxDiffPixelRatio: 0.001 };
  await expect.soft(page).toHaveScreenshot(`${name}.png`, options);
}

/** Returns the browser, and the width of a sample in this machine's text font. */
async function describeRenderer(browser: Browser) {
  const page = await browser.newPage();
  const textWidth = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')!;
    context.font = "100px -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
    return Math.round(context.measureText('Create. Drop. Get Paid...').width);
  });
  await page.close();
  return { browser: browser.version(), platform: `${process.platform}-${process.arch}`, textWidth };
}
