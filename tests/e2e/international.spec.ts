import { expect, test } from '@playwright/test';
import { readWords } from '../words.ts';
import { functionUrl, LandingPage, makeAddress, readEntries, scripts } from './landing-page.ts';

/** Both spellings of an address at an international domain. */
function makeSpellings(): { typed: string; ascii: string } {
  const name = makeAddress().split('@')[0]!;
  return { typed: `${name}@Müller.example`, ascii: `${name}@xn--mller-kva.example` };
}

/** What browsers do with such an address, and what makes a field of any browser do the same. */
const behaviors: [name: string, adapt: (field: HTMLInputElement) => void][] = [
  // Chromium.
  ['converts it', () => {}],
  // Firefox.
  ['sends it as typed', (field) => (field.type = 'text')],
  // Safari.
  ['refuses it as typed', (field) => Object.assign(field, { type: 'text', pattern: '[ -~]*' })],
];

for (const [behavior, adapt] of behaviors) {
  test(`an address at an international domain joins from a browser that ${behavior}`, async ({ page }) => {
    const landing = new LandingPage(page);
    const { typed, ascii } = makeSpellings();
    await landing.open();
    await landing.hero.field.evaluate(adapt);
    await landing.hero.field.focus();
    await expect(page.locator('astro-island:not([ssr]) form[method=post]')).toHaveCount(1);
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
  await page.route(scripts, (route) => route.abort());
  const landing = new LandingPage(page);
  await landing.open();
  await landing.hero.field.evaluate((field: HTMLInputElement) => (field.type = 'text'));
  await landing.hero.submit('müller@müller.example');
  await expect(
    page.getByRole('heading', { name: readWords('refusals').addressHeading, exact: true }),
  ).toBeVisible();
});
