import { expect } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { functionUrl, makeAddress, readEntries, test } from './landing-page.ts';

const key = 'sb_publishable_local_stack_of_dropyard';
const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('neither a form nor a script on another site signs anybody up', async ({ page }) => {
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
  await page.goto('http://evil.example/');
  const form = new URLSearchParams({ apikey: key, email_address: email }).toString();
  const json = { 'Content-Type': 'application/json', apikey: key };
  const calls: { headers: Record<string, string>; body: string; mode?: RequestMode }[] = [
    { headers: json, body: JSON.stringify({ to: email }) },
    { headers: urlencoded, body: form },
    { headers: urlencoded, body: form, mode: 'no-cors' },
  ];
  for (const call of calls) {
    await page.evaluate(([url, init]) => fetch(url, init).catch(() => {}), [
      functionUrl,
      { method: 'POST', ...call },
    ] as const);
  }
  expect(await readEntries(email)).toEqual([]);
});

test('a copy of the page on another host, which cannot sign anybody up, leads to an outcome on the site', async ({
  page,
  landing,
  baseURL,
}) => {
  const email = makeAddress('elsewhere');
  await page.goto(baseURL!.replace('localhost', 'copy.localhost'));
  await landing.hero.field.focus();
  await landing.expectAwake();
  await landing.hero.submit(email);
  await expect(page).toHaveURL(`${baseURL}/${anchors.notJoined}`);
  await expect(page.locator(anchors.notJoined)).toBeInViewport();
  expect(await readEntries(email)).toEqual([]);
});
