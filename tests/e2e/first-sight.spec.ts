import { expect, test as base } from '@playwright/test';
import { everyPage, viewports } from './every-page.ts';
import { LandingPage } from './landing-page.ts';
import { openLineInPieces } from './line-in-pieces.ts';
import { fewestShifts, watchShifts } from './shifts.ts';

const [phone, , desktop] = viewports;

const test = base.extend<object, { line: Awaited<ReturnType<typeof openLineInPieces>> }>({
  line: [
    // Playwright reads which fixtures are used from this pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const line = await openLineInPieces();
      await use(line);
      line.close();
    },
    { scope: 'worker' },
  ],
});

/** Words of the usual length, by their place. An editor may write longer ones, which push the form down. */
const usualWords = {
  'h1 span': 'Welcome to the',
  'h1 b': 'Underground Economy of Digital Hustlers',
  '.tagline': 'Create. Drop. Get Paid...',
  '.lede': 'Sell what you make for roleplay servers. A free creator keeps most of every sale.',
  '.note': 'Early signups get XP boosts, featured spots, and early access perks',
  '.scroll': 'See what you can do',
};

for (const viewport of viewports) {
  test.describe(`at ${viewport.width}×${viewport.height} px`, () => {
    test.use({ viewport });

    test('headline, tagline, lede, note, form, arrow and the light of the yard are above the fold', async ({
      page,
    }) => {
      const { hero } = new LandingPage(page);
      await page.goto('/');
      const section = page.locator('section[aria-labelledby=hero-heading]');
      for (const [selector, words] of Object.entries(usualWords)) {
        await section
          .locator(selector)
          .evaluate((part, text) => (part.firstChild!.textContent = text), words);
      }
      for (const part of [hero.field, hero.button]) await expect(part).toBeInViewport({ ratio: 1 });
      for (const selector of Object.keys(usualWords))
        await expect(section.locator(selector)).toBeInViewport({ ratio: 1 });
      const yard = page.locator('.yard img');
      await expect(yard).toBeInViewport({ ratio: 0.45 });
      // The picture for phones and tablets has no transparency, so it needs the color of the page. The other is transparent.
      for (const colorScheme of viewport === desktop ? [] : (['dark', 'light'] as const)) {
        await page.emulateMedia({ colorScheme });
        await expect(async () => expect(await yard.evaluate(measureCorner)).toBeLessThan(8)).toPass();
      }
    });
  });
}

// A phone, where a shift moves most of what is visible.
test.describe('over a slow line', () => {
  test.use({
    viewport: phone,
    proxy: ({ line }, use) => use({ server: line.server }),
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
  });

  test('no page shifts while it arrives in pieces, or when its fonts arrive late', async ({ page, line }) => {
    test.slow();
    const shifts = await watchShifts(page);
    // Waits until the number of elements has changed. Returns it.
    const receive = (before: number) =>
      page.evaluate(async (before) => {
        const count = () => document.querySelectorAll('*').length;
        while (count() === before) {
          await new Promise<void>((done) => {
            const observer = new MutationObserver(() => (observer.disconnect(), done()));
            observer.observe(document, { childList: true, subtree: true });
          });
        }
        return count();
      }, before);
    // Waits two frames, so that what has arrived is drawn. A page with rel=expect draws nothing until that element arrives.
    const draw = () =>
      page.evaluate(() => {
        const isHeld = [...document.querySelectorAll<HTMLLinkElement>('link[rel=expect]')].some(
          ({ href }) => !document.getElementById(new URL(href).hash.slice(1)),
        );
        return isHeld || new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      });
    for (const path of everyPage) {
      // Otherwise another fragment of the same page would not load it again.
      await page.goto('about:blank');
      await page.goto(path, { waitUntil: 'commit' });
      await page.locator('body').waitFor({ state: 'attached' });
      let sent = 0;
      let count = await receive(0);
      for (await draw(); line.sendPiece(); await draw()) {
        count = await receive(count);
        sent++;
      }
      expect(sent, path).toBeGreaterThan(0);
      await page.getByRole('contentinfo').waitFor();
      expect(await shifts.letFontsArrive(), path).toBeLessThanOrEqual(fewestShifts);
    }
  });
});

/** Returns how far the corner of a picture is from the color of the page: 0 to 255. */
async function measureCorner(picture: HTMLImageElement): Promise<number> {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
  canvas.fillStyle = getComputedStyle(picture).getPropertyValue('--surface');
  canvas.fillRect(0, 0, 1, 1);
  const page = canvas.getImageData(0, 0, 1, 1).data;
  await picture.decode();
  canvas.drawImage(picture, 0, 0);
  const corner = canvas.getImageData(0, 0, 1, 1).data;
  return Math.max(...corner.map((part, index) => Math.abs(part - page[index]!)));
}
