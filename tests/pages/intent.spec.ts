import { expect, type Locator } from '@playwright/test';
import { test } from './landing-page.ts';

/** The signs that a visitor is about to use an island. Each alone has to be enough. */
const signs: Record<string, (field: Locator) => Promise<void>> = {
  'a pointer over it, so that its scripts are there before the click': (field) => field.hover(),
  'a press, in browsers that do not focus what is pressed': (field) => field.dispatchEvent('pointerdown'),
  'the focus': (field) => field.focus(),
  'a key, while it had the focus before its scripts were ready': (field) => field.dispatchEvent('keydown'),
  'a value that a program fills in': (field) => field.dispatchEvent('input'),
};

test('an island sleeps until a visitor is about to use it', async ({ page, landing }) => {
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  const form = page.locator('astro-island:has(form[method=post])').first();
  for (const [sign, show] of Object.entries(signs)) {
    await landing.open();
    scripts.length = 0;
    await expect(form, sign).toHaveAttribute('ssr');
    expect(scripts, sign).toEqual([]);
    await show(landing.hero.field);
    await expect(form, sign).not.toHaveAttribute('ssr');
    expect(scripts, sign).not.toEqual([]);
  }
});
