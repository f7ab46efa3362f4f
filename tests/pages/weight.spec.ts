import { brotliCompressSync } from 'node:zlib';
import { expect, type Page, type Response } from '@playwright/test';
import { test } from './landing-page.ts';

const KB = 1024; // bytes

test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true });

/** Records the files that a page fetches. */
function recordFiles(page: Page): Response[] {
  const files: Response[] = [];
  page.on('response', (response) => response.request().method() === 'GET' && files.push(response));
  return files;
}

const ofKind = (files: Response[], kind: string) =>
  files.filter((file) => file.request().resourceType() === kind);

/** Weighs files in bytes after brotli, even if the local host does not compress them. */
async function weigh(files: Response[]): Promise<number> {
  const weights = await Promise.all(files.map(weighBody));
  return weights.reduce((sum, weight) => sum + weight, 0);
}

async function weighBody(response: Response): Promise<number> {
  const body = await response.body();
  const isText = /text|javascript|json|svg/.test(response.headers()['content-type'] ?? '');
  return isText ? brotliCompressSync(body).length : body.length;
}

/** Weighs the inline elements of a kind, in bytes after brotli. */
async function weighInline(page: Page, selector: string): Promise<number> {
  return brotliCompressSync((await page.locator(selector).allTextContents()).join('\n')).length;
}

test('the landing page stays within its byte budgets on a phone', async ({ page }) => {
  const files = recordFiles(page);
  await page.goto('/');
  const pictures = page.locator('img:visible');
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate((element: HTMLImageElement) => element.decode());
  }
  await page.evaluate(() => document.fonts.ready);
  const script = 'script:not([src]):is(:not([type]), [type=module], [type="text/javascript"])';
  const dashboards = ofKind(files, 'image').filter((response) => response.url().includes('dashboard'));
  expect(dashboards, 'only the picture for phones').toHaveLength(1);
  // The page itself is the editor's: whatever its words weigh, 20 KB are left for them.
  const words = await weigh(ofKind(files, 'document'));
  expect((await weigh(files)) - words, 'all but the words').toBeLessThanOrEqual(100 * KB);
  expect(
    (await weighInline(page, 'style')) + (await weigh(ofKind(files, 'stylesheet'))),
    'style',
  ).toBeLessThanOrEqual(12 * KB);
  // Those for letters beyond English are fetched only for words that need them.
  const preloaded = await page
    .locator('link[rel=preload][as=font]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  expect(preloaded.length, 'files of fonts').toBeLessThanOrEqual(2);
  expect(
    await weigh(ofKind(files, 'font').filter((font) => preloaded.includes(font.url()))),
    'fonts',
  ).toBeLessThanOrEqual(24 * KB);
  expect(await weighInline(page, script), 'script in the page').toBeLessThanOrEqual(2 * KB);
});
