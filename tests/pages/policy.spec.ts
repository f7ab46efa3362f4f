import { expect } from '@playwright/test';
import { everyPage } from './every-page.ts';
import { functionUrl, makeAddress, test } from './landing-page.ts';

test('no page breaks the policy, calls others or stores anything', async ({ page, landing, baseURL }) => {
  const foreign: string[] = [];
  const own = [new URL(baseURL!).origin, new URL(functionUrl).origin];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && !own.includes(origin)) foreign.push(request.url());
  });
  for (const path of [...everyPage.filter((path) => !path.includes('#')), '/nope']) {
    await page.goto(path);
    await page.locator('img').evaluateAll(async (all: HTMLImageElement[]) => {
      for (const image of all) image.loading = 'eager';
      await Promise.all(all.map((image) => image.decode()));
    });
  }
  await landing.open();
  await landing.menu.open();
  await page.keyboard.press('Escape');
  await page.locator('#faq summary').first().click();
  await landing.join(makeAddress('private'));
  await expect.poll(() => landing.logs).toContainEqual(expect.stringContaining('Waitlist entry saved'));
  expect(foreign).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).toEqual({});
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});
