import { expect } from '@playwright/test';
import { functionUrl, makeAddress, readEntries, test } from './landing-page.ts';

/** Both spellings of an address at an international domain. */
function makeSpellings(): { typed: string; ascii: string } {
  const name = makeAddress().split('@')[0]!;
  return { typed: `${name}@Müller.example`, ascii: `${name}@xn--mller-kva.example` };
}

/** What makes the field of any browser treat such an address as one browser does. */
const behaviors: ((field: HTMLInputElement) => void)[] = [
  // Chromium converts it.
  () => {},
  // Firefox sends it as typed.
  (field) => (field.type = 'text'),
  // Safari refuses it as typed.
  (field) => Object.assign(field, { type: 'text', pattern: '[ -~]*' }),
];

test('an address at an international domain joins from every browser, and its spellings are one member', async ({
  page,
  landing,
}) => {
  await landing.open();
  await landing.hero.field.focus();
  await landing.expectAwake();
  for (const adapt of behaviors) {
    const { typed, ascii } = makeSpellings();
    await landing.hero.field.evaluate(adapt);
    for (const email of [typed, ascii]) {
      await landing.join(email);
      await page.keyboard.press('Escape');
      await expect(landing.success).toBeHidden();
    }
    expect(await readEntries(ascii)).toHaveLength(1);
  }
  await landing.expectCalls(...behaviors.flatMap(() => ['welcome', 'entry', 'welcome', 'entry'] as const));
  expect(landing.errors).toEqual([]);
});

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
