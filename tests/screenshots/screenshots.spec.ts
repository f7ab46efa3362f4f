import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { answerFrom, viewports } from '../pages/every-page.ts';
import { deploymentValues } from '../pages/site-copy.ts';

const folder = process.env['SITE_FOLDER'] ?? '';
const origin = deploymentValues.PUBLIC_SITE_URL;
const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };

/** What can be seen besides whole pages. Found by structure, because words differ between commits. */
const states: { name: string; path?: string; reach?(page: Page): Promise<unknown>; isWaiting?: boolean }[] = [
  { name: 'first-sight' },
  { name: 'menu', reach: (page) => page.locator('header button').first().click() },
  { name: 'question', reach: (page) => page.locator('#faq summary').nth(1).click() },
  { name: 'joining', reach: signUp, isWaiting: true },
  {
    name: 'joined',
    reach: async (page) => {
      await signUp(page);
      await page.locator('dialog[open]').waitFor();
    },
  },
  ...['joined', 'address-refused', 'not-joined', 'try-later'].map((outcome) => ({
    name: `${outcome}-without-scripts`,
    path: `/#${outcome}`,
  })),
  { name: 'unsubscribed', path: '/unsubscribe#unsubscribed' },
  { name: 'welcome-to-a-name', path: '/welcome/visitor%40example.org' },
  { name: 'welcome-to-a-malformed-name', path: '/welcome/%E0%A4%A' },
];

for (const viewport of viewports) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test.describe(`${viewport.width}-${colorScheme}`, () => {
      test.use({ viewport, colorScheme, contextOptions: { reducedMotion: 'reduce' } });

      for (const file of globSync('**/index.html', { cwd: folder }).sort()) {
        const path = `/${dirname(file)}`.replace('/.', '/');
        const name = path.slice(1) || 'landing';
        test(name, ({ page }, { titlePath }) => expectSame(page, [...titlePath.slice(1)], { path }, true));
      }
      for (const state of states)
        test(`state ${state.name}`, ({ page }, { titlePath }) =>
          expectSame(page, [...titlePath.slice(1)], state, false));
    });
  }
}

async function signUp(page: Page): Promise<void> {
  const form = page.locator('form[method=post]').first();
  await form.locator('input[type=email]').fill('visitor@example.org');
  await form.locator('button').click();
}

async function expectSame(
  page: Page,
  names: string[],
  { path = '/', reach, isWaiting }: Omit<(typeof states)[number], 'name'>,
  fullPage: boolean,
): Promise<void> {
  // In place of the static host and of the backend.
  await page.route('**/*', async (route) => {
    if (route.request().url().startsWith(origin)) await answerFrom(folder, route);
    else if (!isWaiting) await route.fulfill({ headers: cors, json: {} });
  });
  await page.goto(origin + path);
  await reach?.(page);
  // Away from a button that was clicked, which would be lit.
  await page.mouse.move(0, 0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Otherwise a picture may be missing when the browser draws the whole page for a screenshot.
    for (const image of document.images) Object.assign(image, { loading: 'eager', decoding: 'sync' });
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
  await expect(page).toHaveScreenshot(`${names.join('-').replace(/[^\w]+/g, '-')}.png`, { fullPage });
}
