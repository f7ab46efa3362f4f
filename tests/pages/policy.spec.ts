import { expect, type Page } from '@playwright/test';
import { everyPage } from './every-page.ts';
import { functionUrl, makeAddress, test } from './landing-page.ts';

let foreign: string[];
test.beforeEach(({ page, baseURL }) => {
  foreign = [];
  const own = [new URL(baseURL!).origin, new URL(functionUrl).origin];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && !own.includes(origin)) foreign.push(request.url());
  });
});

async function expectNothingKept(page: Page, path: string): Promise<void> {
  expect(foreign, path).toEqual([]);
  expect(await page.context().cookies(), path).toEqual([]);
  expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage })), path).toEqual({});
  expect(await page.evaluate(() => indexedDB.databases()), path).toEqual([]);
  expect(await page.evaluate(() => caches.keys()), path).toEqual([]);
}

test('no page does what the policy blocks, calls a third party or stores anything in the browser, even with all its pictures', async ({
  page,
}) => {
  for (const path of everyPage) {
    // Otherwise another fragment of the same page would not load it again.
    await page.goto('about:blank');
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
    await page.locator('img').evaluateAll(async (all: HTMLImageElement[]) => {
      for (const image of all) image.loading = 'eager';
      await Promise.all(all.map((image) => image.decode()));
    });
    await expectNothingKept(page, path);
  }
});

test('a visit with menu, question and sign-up calls no third party and stores nothing', async ({
  page,
  landing,
}) => {
  await landing.open();
  await landing.menu.open();
  await page.keyboard.press('Escape');
  await page.locator('#faq summary').first().click();
  await landing.join(makeAddress('private'));
  await expect.poll(() => landing.logs).toContainEqual(expect.stringContaining('Waitlist entry saved'));
  await expectNothingKept(page, '/');
});
