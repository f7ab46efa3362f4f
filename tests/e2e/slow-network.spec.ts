import { expect, type Locator, type Page, test as base } from '@playwright/test';
import { LandingPage, makeAddress, readEntries } from './landing-page.ts';
import { openSlowLine } from './slow-line.ts';

const scripts = /\/_astro\/.*\.js/;

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
// Slow 4G is slower than what the other tests wait for.
test.beforeEach(({ page }) => page.setDefaultTimeout(30_000));

let landing: LandingPage;
test.beforeEach(async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  landing = new LandingPage(page);
});

/** A click that no pointer and no key went before, as assistive technology makes it. */
const clickBare = (control: Locator) => control.evaluate((element: HTMLElement) => element.click());

const ways: Record<string, (address: string) => Promise<void>> = {
  'a click': (address) => landing.hero.submit(address),
  'the Enter key': async (address) => {
    await landing.hero.field.pressSequentially(address);
    await landing.hero.field.press('Enter');
  },
  'a triple click': async (address) => {
    await landing.hero.field.fill(address);
    await landing.hero.button.click({ clickCount: 3 });
  },
  'a tap': async (address) => {
    await landing.hero.field.tap();
    await landing.hero.field.fill(address);
    await landing.hero.button.tap();
  },
  'a tap, filled in by the browser': async (address) => {
    await landing.hero.field.evaluate((field: HTMLInputElement, value) => (field.value = value), address);
    await landing.hero.button.tap();
  },
  'assistive technology': async (address) => {
    await landing.hero.field.evaluate((field: HTMLInputElement, value) => (field.value = value), address);
    await clickBare(landing.hero.button);
  },
};

for (const [way, send] of Object.entries(ways)) {
  test(`a form sent by ${way} makes one sign-up, on the same page`, async ({ page }) => {
    const address = makeAddress('slow');
    await landing.open();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await send(address);
    await expectJoinedOnce(page, address);
  });
}

test('what is typed while the scripts come stays, letter for letter', async ({ page }) => {
  await landing.open();
  await landing.hero.field.pressSequentially('name@exam', { delay: 60 });
  await expect(page.locator('astro-island:not([ssr]) form[method=post]')).toHaveCount(1, { timeout: 30_000 });
  await expect(landing.hero.field).toBeFocused();
  await page.keyboard.type('ple.org');
  await expect(landing.hero.field).toHaveValue('name@example.org');
});

for (const [way, press] of [
  ['mouse', (control: Locator) => control.click()],
  ['keyboard', (control: Locator) => control.press('Enter')],
  ['tap', (control: Locator) => control.tap()],
  ['assistive technology', clickBare],
] as const) {
  test(`questions open and close by ${way} before their script came, and after`, async ({ page }) => {
    await landing.open();
    const questions = page.locator('#faq summary');
    const open = page.locator('#faq details[open] summary');
    await expect(page.locator('#faq astro-island[ssr]')).toHaveCount(1);
    await press(questions.nth(0));
    await expect(open).toHaveText(await questions.nth(0).innerText());
    await press(questions.nth(1));
    await expect(open).toHaveText(await questions.nth(1).innerText());
    await expect(page.locator('#faq astro-island:not([ssr])')).toHaveCount(
      way === 'assistive technology' ? 0 : 1,
      {
        timeout: 30_000,
      },
    );
    await press(questions.nth(0));
    await expect(open).toHaveText(await questions.nth(0).innerText());
    await press(questions.nth(0));
    await expect(open).toHaveCount(0);
  });

  test(`the menu opens and closes by ${way} before its script came, and after`, async ({ page }) => {
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

test('a script that fails once is fetched again, and nothing is lost', async ({ page }) => {
  let failures = 0;
  await page.route(scripts, (route) => (failures++ === 0 ? route.abort() : route.continue()));
  const address = makeAddress('once');
  await landing.open();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await landing.hero.submit(address);
  await expectJoinedOnce(page, address);
});

for (const [event, answer] of [
  ['the scripts cannot be had', undefined],
  ['a deployment took the scripts away', { status: 404, contentType: 'text/html', body: '<!doctype html>' }],
] as const) {
  test(`when ${event} before the first touch, the sign-up goes out natively`, async ({ page }) => {
    const address = makeAddress('gone');
    await landing.open();
    await page.route(scripts, (route) => (answer ? route.fulfill(answer) : route.abort()));
    await landing.hero.submit(address);
    await expect(page).toHaveURL(/#joined$/, { timeout: 30_000 });
    await expect(landing.success).toBeVisible();
    expect(await readEntries(address)).toHaveLength(1);
  });
}

test('when a deployment took away what comes after the form, the sign-up arrives all the same', async ({
  page,
}) => {
  const address = makeAddress('halfway');
  await landing.open();
  await landing.hero.field.fill(address);
  await expect(page.locator('astro-island:not([ssr]) form[method=post]')).toHaveCount(1, { timeout: 30_000 });
  await page.route(scripts, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: '' }));
  await landing.hero.button.tap();
  await expect(landing.success).toBeVisible({ timeout: 30_000 });
  expect(await readEntries(address)).toHaveLength(1);
});

async function expectJoinedOnce(page: Page, address: string): Promise<void> {
  await expect(landing.success).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  expect(landing.calls.filter((call) => call === 'welcome')).toHaveLength(1);
  expect(await readEntries(address)).toHaveLength(1);
}
