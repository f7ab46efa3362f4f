import { expect, type Page, test } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { answerFrom, everyPage, viewports } from '../pages/every-page.ts';
import { deploymentValues } from '../pages/site-copy.ts';

const folder = process.env['SITE_FOLDER'] ?? '';
const origin = deploymentValues.PUBLIC_SITE_URL;
const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
const outcomes = [anchors.joined, anchors.addressRefused, anchors.notJoined, anchors.tryLater];

/** What can be seen besides pages. Found by structure, because words differ between commits. */
const states: Record<string, (page: Page) => Promise<unknown>> = {
  menu: (page) => page.locator('header button').first().click(),
  question: (page) => page.locator('#faq summary').nth(1).click(),
  success: async (page) => {
    const form = page.locator('form[method=post]').first();
    await form.locator('input[type=email]').fill('visitor@example.org');
    await form.locator('button').click();
    await page.locator('dialog[open]').waitFor();
  },
};

for (const viewport of viewports) {
  for (const colorScheme of ['dark', 'light'] as const) {
    for (const look of [...everyPage, ...outcomes, ...Object.keys(states)]) {
      test(`${viewport.width} px ${colorScheme} ${look}`, async ({ page }) => {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        // In place of the static host and of the backend.
        await page.route('**/*', async (route) => {
          if (route.request().url().startsWith(origin)) await answerFrom(folder, route);
          else await route.fulfill({ headers: cors, json: {} });
        });
        await page.goto(new URL(look in states ? '/' : look, origin).href);
        await states[look]?.(page);
        // Away from a button that was clicked, which would be lit.
        await page.mouse.move(0, 0);
        await page.evaluate(async () => {
          await document.fonts.ready;
          // Otherwise a picture may be missing when the browser draws the whole page for a screenshot.
          for (const image of document.images) Object.assign(image, { loading: 'eager', decoding: 'sync' });
          await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
        });
        await expect(page).toHaveScreenshot({ fullPage: look.startsWith('/') });
      });
    }
  }
}
