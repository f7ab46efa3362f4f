import { brotliCompressSync } from 'node:zlib';
import { expect, type Response, test } from '@playwright/test';

const KB = 1024; // bytes

test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true });

/** Weighs a file in bytes after brotli, even if the local host does not compress it. */
async function weigh(response: Response) {
  const body = await response.body();
  const isText = /text|javascript|json|svg/.test(response.headers()['content-type'] ?? '');
  const weight = isText ? brotliCompressSync(body).length : body.length;
  return { url: response.url(), kind: response.request().resourceType(), weight };
}

test('on a phone, the landing page fits its byte budgets, and built files are cached', async ({ page }) => {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await page.goto('/');
  for (const picture of await page.locator('img:visible').all()) {
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate((element: HTMLImageElement) => element.decode());
  }
  await page.evaluate(() => document.fonts.ready);
  // Those of editors, in public/, keep their names when they change.
  for (const file of responses.filter((one) => /\/(_astro|pictures)\//.test(one.url())))
    expect(file.headers()['cache-control'], file.url()).toBe('public, max-age=31536000, immutable');
  const files = await Promise.all(responses.map(weigh));
  const sum = (some: typeof files) => some.reduce((total, { weight }) => total + weight, 0);
  const weighInline = async (selector: string) =>
    brotliCompressSync((await page.locator(selector).allTextContents()).join('\n')).length;
  const dashboards = files.flatMap(({ url }) => /dashboard[^.]*/.exec(url) ?? []);
  expect(dashboards, 'only the picture for phones').toEqual(['dashboard-compact']);
  // The page itself is the editor's: whatever its words weigh, 20 KB are left for them.
  const others = files.filter(({ kind }) => kind !== 'document');
  expect(sum(others), 'all but the words').toBeLessThanOrEqual(100 * KB);
  const style = (await weighInline('style')) + sum(files.filter(({ kind }) => kind === 'stylesheet'));
  expect(style, 'style').toBeLessThanOrEqual(12 * KB);
  // Those for letters beyond English are fetched only for words that need them.
  const preloaded = await page
    .locator('link[rel=preload][as=font]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  expect(preloaded.length, 'files of fonts').toBeLessThanOrEqual(2);
  const fonts = files.filter(({ kind, url }) => kind === 'font' && preloaded.includes(url));
  expect(sum(fonts), 'fonts').toBeLessThanOrEqual(24 * KB);
  const script = 'script:not([src]):is(:not([type]), [type=module], [type="text/javascript"])';
  expect(await weighInline(script), 'script in the page').toBeLessThanOrEqual(2 * KB);
});
