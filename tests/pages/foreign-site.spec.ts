import { expect } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { functionUrl, makeAddress, readEntries, test } from './landing-page.ts';

const key = 'sb_publishable_local_stack_of_dropyard';

test('a form on another site signs nobody up', async ({ page }) => {
  const email = makeAddress('tricked');
  // With no-referrer, browsers send `Origin: null`.
  for (const policy of ['unsafe-url', 'no-referrer']) {
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        body: `<form method="post" action="${functionUrl}"><input name="apikey" value="${key}">
          <input name="email_address" value="${email}"><button>Win</button></form>`,
        headers: { 'Referrer-Policy': policy },
        contentType: 'text/html',
      }),
    );
    await page.goto('http://evil.example/');
    await page.getByRole('button').click();
    await page.waitForURL(`**/${anchors.notJoined}`);
  }
  expect(await readEntries(email)).toEqual([]);
});

test('a copy of the page elsewhere leads to an outcome here', async ({ page, landing, baseURL }) => {
  const email = makeAddress('elsewhere');
  await page.goto(baseURL!.replace('localhost', 'copy.localhost'));
  await landing.hero.field.focus();
  await landing.expectAwake();
  await landing.hero.submit(email);
  await expect(page).toHaveURL(`${baseURL}/${anchors.notJoined}`);
  expect(await readEntries(email)).toEqual([]);
});
