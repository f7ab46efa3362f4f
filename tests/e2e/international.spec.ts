import { expect, test } from '@playwright/test';
import { readWords } from '../words.ts';
import { functionUrl, LandingPage, makeAddress, readEntries } from './landing-page.ts';

/** Both spellings of an address at an international domain. */
function makeSpellings(): { typed: string; ascii: string } {
  const name = makeAddress().split('@')[0]!;
  return { typed: `${name}@Müller.example`, ascii: `${name}@xn--mller-kva.example` };
}

// Chromium converts the domain while a visitor types, Firefox does not.
for (const isConverted of [true, false]) {
  test(`an address at an international domain joins, with ${isConverted ? 'a browser that converts it' : 'a browser that sends it as typed'}`, async ({
    page,
  }) => {
    const landing = new LandingPage(page);
    const { typed, ascii } = makeSpellings();
    await landing.open();
    if (!isConverted) await landing.hero.field.evaluate((field: HTMLInputElement) => (field.type = 'text'));
    for (const email of [typed, ascii]) {
      await landing.hero.submit(email);
      await expect(landing.success).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(landing.success).toBeHidden();
    }
    await landing.expectCalls('welcome', 'entry', 'welcome', 'entry');
    expect(await readEntries(ascii)).toHaveLength(1);
    expect(landing.logs.filter((line) => line.startsWith('error'))).toEqual([]);
  });
}

test('both spellings of an international domain are one member, by the native form and by the function', async ({
  page,
  request,
  baseURL,
}) => {
  const { typed, ascii } = makeSpellings();
  await page.goto('/');
  const apikey = await page.locator('input[name=apikey]').first().inputValue();
  const send = (email: string) =>
    request.post(functionUrl, {
      form: { apikey, email_address: email },
      headers: { Origin: baseURL! },
      maxRedirects: 0,
    });
  for (const email of [typed, ascii])
    expect((await send(email)).headers()['location']).toBe(`${baseURL}/#joined`);
  const call = await request.post(functionUrl, { headers: { apikey }, data: { to: typed } });
  expect(call.status()).toBe(200);
  expect(await readEntries(ascii)).toHaveLength(1);
});

test('an international address that the browser lets through and the rule does not gets a clear answer', async ({
  page,
}) => {
  await page.route(/\/_astro\/.*\.js/, (route) => route.abort());
  const landing = new LandingPage(page);
  await landing.open();
  await landing.hero.field.evaluate((field: HTMLInputElement) => (field.type = 'text'));
  await landing.hero.submit('müller@müller.example');
  await expect(
    page.getByRole('heading', { name: readWords('refusals').addressHeading, exact: true }),
  ).toBeVisible();
});
