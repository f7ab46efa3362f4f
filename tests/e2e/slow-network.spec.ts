import { expect, test as base } from '@playwright/test';
import { LandingPage, makeAddress, readEntries } from './landing-page.ts';
import { readItems } from '../words.ts';
import { openSlowLine } from './slow-line.ts';

const test = base.extend<object, { line: { server: string } }>({
  line: [
    // Playwright reads which fixtures are used from this pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const line = await openSlowLine(150, { down: 1_600_000 / 8, up: 750_000 / 8 });
      await use(line);
      line.close();
    },
    { scope: 'worker' },
  ],
  proxy: ({ line }, use) => use({ server: line.server }),
});

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
test.setTimeout(60_000);
// Slow 4G needs more time than the default.
test.beforeEach(({ page }) => page.setDefaultTimeout(30_000));

let landing: LandingPage;
test.beforeEach(async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  landing = new LandingPage(page);
});

test('a form that is sent before its scripts arrive makes one sign-up, on the same page', async ({
  page,
}) => {
  const email = makeAddress('slow');
  await landing.open();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await landing.hero.field.pressSequentially(email);
  await landing.hero.field.press('Enter');
  await expect(landing.success).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  expect(landing.calls.filter((call) => call === 'welcome')).toHaveLength(1);
  expect(await readEntries(email)).toHaveLength(1);
});

test('questions open and close before and after their script arrives', async ({ page }) => {
  await landing.open();
  const questions = page.locator('#faq summary');
  const [first, second] = readItems('faq').map(({ question }) => question);
  const open = page.locator('#faq details[open] summary');
  await expect(page.locator('#faq astro-island[ssr]')).toHaveCount(1);
  await questions.nth(0).tap();
  await expect(open).toHaveText(first!);
  await questions.nth(1).tap();
  await expect(open).toHaveText(second!);
  await expect(page.locator('#faq astro-island:not([ssr])')).toHaveCount(1, { timeout: 30_000 });
  await questions.nth(1).tap();
  await expect(open).toHaveCount(0);
});

test('the menu opens and closes before and after its script arrives', async ({ page }) => {
  await landing.open();
  const { trigger, dialog, close } = landing.menu;
  await expect(page.locator('header astro-island[ssr]')).toHaveCount(1);
  for (const moment of ['before', 'after']) {
    await trigger.press('Enter');
    await expect(dialog, moment).toBeVisible();
    await close.press('Enter');
    await expect(dialog, moment).toBeHidden();
    await expect(page.locator('header astro-island:not([ssr])')).toHaveCount(1, { timeout: 30_000 });
  }
});
