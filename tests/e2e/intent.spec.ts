import { expect, type Locator, test } from '@playwright/test';
import { LandingPage } from './landing-page.ts';

/** The signs that a visitor is about to use an island. Each alone has to be enough. */
const signs: Record<string, (field: Locator) => Promise<void>> = {
  'a pointer over it, so that its scripts are there before the click': (field) => field.hover(),
  'a press, in browsers that do not focus what is pressed': (field) => field.dispatchEvent('pointerdown'),
  'the focus': (field) => field.focus(),
  'a key, while it had the focus before its scripts were ready': (field) => field.dispatchEvent('keydown'),
  'a value that a program fills in': (field) => field.dispatchEvent('input'),
};

for (const [sign, show] of Object.entries(signs)) {
  test(`an island wakes at ${sign}`, async ({ page }) => {
    const { hero } = new LandingPage(page);
    const scripts: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    await page.goto('/');
    const form = page.locator('astro-island:has(form[method=post])').first();
    await expect(form).toHaveAttribute('ssr');
    expect(scripts).toEqual([]);
    await show(hero.field);
    await expect(form).not.toHaveAttribute('ssr');
    expect(scripts).not.toEqual([]);
  });
}
