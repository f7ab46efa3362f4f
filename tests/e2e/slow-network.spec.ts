import { expect, type Locator, type Page, test as base } from '@playwright/test';
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

/** Clicks without a pointer or key event before it, as assistive technology does. */
const clickBare = (control: Locator) => control.evaluate((element: HTMLElement) => element.click());

const ways: Record<string, (email: string) => Promise<void>> = {
  'the Enter key': async (email) => {
    await landing.hero.field.pressSequentially(email);
    await landing.hero.field.press('Enter');
  },
  'a tap': async (email) => {
    await landing.hero.field.tap();
    await landing.hero.field.fill(email);
    await landing.hero.button.tap();
  },
  'a tap after the browser filled it in': async (email) => {
    await landing.hero.field.evaluate((field: HTMLInputElement, value) => (field.value = value), email);
    await landing.hero.button.tap();
  },
  'assistive technology': async (email) => {
    await landing.hero.field.evaluate((field: HTMLInputElement, value) => (field.value = value), email);
    await clickBare(landing.hero.button);
  },
};

for (const [way, send] of Object.entries(ways)) {
  test(`a form sent by ${way} makes one sign-up, on the same page`, async ({ page }) => {
    const email = makeAddress('slow');
    await landing.open();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await send(email);
    await expectJoinedOnce(page, email);
  });
}

for (const [way, press] of [
  ['mouse', (control: Locator) => control.click()],
  ['keyboard', (control: Locator) => control.press('Enter')],
  ['tap', (control: Locator) => control.tap()],
  ['assistive technology', clickBare],
] as const) {
  test(`questions open and close by ${way} before and after their script arrives`, async ({ page }) => {
    await landing.open();
    const questions = page.locator('#faq summary');
    const words = readItems('faq').map(({ question }) => question);
    const open = page.locator('#faq details[open] summary');
    await expect(page.locator('#faq astro-island[ssr]')).toHaveCount(1);
    await press(questions.nth(0));
    await expect(open).toHaveText(words[0]!);
    await press(questions.nth(1));
    await expect(open).toHaveText(words[1]!);
    await expect(page.locator('#faq astro-island:not([ssr])')).toHaveCount(
      way === 'assistive technology' ? 0 : 1,
      {
        timeout: 30_000,
      },
    );
    await press(questions.nth(0));
    await expect(open).toHaveText(words[0]!);
    await press(questions.nth(0));
    await expect(open).toHaveCount(0);
  });

  test(`the menu opens and closes by ${way} before and after its script arrives`, async ({ page }) => {
    await landing.open();
    const { trigger, dialog, close } = landing.menu;
    await expect(page.locator('header astro-island[ssr]')).toHaveCount(1);
    for (const moment of ['before', 'after']) {
      await press(trigger);
      await expect(dialog, moment).toBeVisible();
      await press(close);
      await expect(dialog, moment).toBeHidden();
      await trigger.hover();
      await expect(page.locator('header astro-island:not([ssr])')).toHaveCount(1, { timeout: 30_000 });
    }
  });
}

async function expectJoinedOnce(page: Page, email: string): Promise<void> {
  await expect(landing.success).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  expect(landing.calls.filter((call) => call === 'welcome')).toHaveLength(1);
  expect(await readEntries(email)).toHaveLength(1);
}
