import { expect, type Page, test } from '@playwright/test';
import { anchors } from '../../src/site.ts';
import { functionUrl, makeAddress, readEntries } from './landing-page.ts';

const key = 'sb_publishable_local_stack_of_dropyard';
const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Opens a page of another site with a form that would sign the visitor up. */
async function openForeignPage(page: Page, email: string, referrerPolicy: string): Promise<void> {
  const body = `<form method="post" action="${functionUrl}">
    <input name="apikey" value="${key}"><input name="email_address" value="${email}"><button>Win</button></form>`;
  const headers = { 'Referrer-Policy': referrerPolicy };
  await page.route('http://evil.example/', (route) =>
    route.fulfill({ body, headers, contentType: 'text/html' }),
  );
  await page.goto('http://evil.example/');
}

test('a form on another site signs nobody up', async ({ page }) => {
  // With no-referrer, browsers send `Origin: null`.
  for (const policy of ['unsafe-url', 'no-referrer']) {
    const email = makeAddress('tricked');
    await openForeignPage(page, email, policy);
    await page.getByRole('button').click();
    await page.waitForURL(`**/${anchors.notJoined}`);
    expect(await readEntries(email), policy).toEqual([]);
  }
});

test('a script on another site signs nobody up', async ({ page }) => {
  const email = makeAddress('tricked');
  await openForeignPage(page, email, 'no-referrer');
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
