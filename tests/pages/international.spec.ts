import { expect } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { functionUrl, makeAddress, readEntries, test } from './landing-page.ts';

/** What makes the field of any browser treat such an address as one browser does. */
const behaviors: ((field: HTMLInputElement) => void)[] = [
  // Chromium converts it.
  () => {},
  // Firefox sends it as typed.
  (field) => (field.type = 'text'),
  // Safari refuses it as typed.
  (field) => Object.assign(field, { type: 'text', pattern: '[ -~]*' }),
];

test('an address at an international domain joins from every browser and by the native form, and its spellings are one member', async ({
  page,
  landing,
  baseURL,
}) => {
  await landing.open();
  const apikey = await page.locator('input[name=apikey]').first().inputValue();
  await landing.hero.field.focus();
  await landing.expectAwake();
  for (const adapt of behaviors) {
    const name = makeAddress().split('@')[0]!;
    const typed = `${name}@Müller.example`;
    const ascii = `${name}@xn--mller-kva.example`;
    await landing.hero.field.evaluate(adapt);
    for (const email of [typed, ascii]) {
      await landing.join(email);
      await page.keyboard.press('Escape');
      await expect(landing.success).toBeHidden();
    }
    const native = await page.request.post(functionUrl, {
      form: { apikey, email_address: typed },
      headers: { Origin: baseURL! },
      maxRedirects: 0,
    });
    expect(native.headers()['location']).toBe(`${baseURL}/${anchors.joined}`);
    expect(await readEntries(ascii)).toHaveLength(1);
  }
  await landing.expectCalls(...behaviors.flatMap(() => ['welcome', 'entry', 'welcome', 'entry'] as const));
  landing.expectNoError();
});
