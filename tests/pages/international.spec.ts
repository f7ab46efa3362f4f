import { expect } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { functionUrl, makeAddress, readEntries, test } from './landing-page.ts';

/** What makes the field of any browser treat such an address as one browser does. */
const behaviors: Record<string, (field: HTMLInputElement) => void> = {
  'Chromium, which converts it': () => {},
  'Firefox, which sends it as typed': (field) => (field.type = 'text'),
  'Safari, which refuses it as typed': (field) => Object.assign(field, { type: 'text', pattern: '[ -~]*' }),
};

for (const [browser, adapt] of Object.entries(behaviors)) {
  test(`an international address joins from ${browser}`, async ({ page, landing, baseURL }) => {
    await landing.open();
    const apikey = await page.locator('input[name=apikey]').first().inputValue();
    await landing.hero.field.focus();
    await landing.expectAwake();
    const name = makeAddress().split('@')[0]!;
    const typed = `\u202a${name}@Müller.example\u202c\u200b`; // copied with marks that nobody sees
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
    await landing.expectCalls('welcome', 'entry', 'welcome', 'entry');
    landing.expectNoError();
  });
}
