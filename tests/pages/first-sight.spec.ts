import { expect } from '@playwright/test';
import { everyPage, viewports } from './every-page.ts';
import { test } from './landing-page.ts';
import { fewestShifts, watchShifts } from './shifts.ts';

const [phone] = viewports;

// Drawing a page in pieces is code that turns text into HTML.
test.use({ reducedMotion: 'no-preference', bypassCSP: true });

/** Words of the usual length, by their place. An editor may write longer ones, which push the form down. */
const usualWords = {
  'h1 span': 'Welcome to the',
  'h1 b': 'Underground Economy of Digital Hustlers',
  '.tagline': 'Create. Drop. Get Paid...',
  '.lede': 'Sell what you make for roleplay servers. A free creator keeps most of every sale.',
  '.note': 'Early signups get XP boosts, featured spots, and early access perks',
  '.scroll': 'See what you can do',
};

test('headline, tagline, lede, note, form, arrow and the light of the yard are above the fold', async ({
  page,
  landing: { hero },
}) => {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await page.goto('/');
    const section = page.locator('section[aria-labelledby=hero-heading]');
    for (const [selector, words] of Object.entries(usualWords)) {
      await section.locator(selector).evaluate((part, text) => (part.firstChild!.textContent = text), words);
    }
    for (const part of [hero.field, hero.button]) await expect(part).toBeInViewport({ ratio: 1 });
    for (const selector of Object.keys(usualWords))
      await expect(section.locator(selector)).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.yard img')).toBeInViewport({ ratio: 0.45 });
  }
});

test('no page shifts on a phone while it arrives in pieces, or when its fonts arrive late', async ({
  page,
}) => {
  test.slow();
  await page.setViewportSize(phone);
  const shifts = await watchShifts(page);
  for (const path of everyPage) {
    // Otherwise another fragment of the same page would not load it again.
    await page.goto('about:blank');
    const response = await page.goto(path, { waitUntil: 'domcontentloaded' });
    const pieces = (await response!.text()).split(cuts);
    expect(pieces.length, path).toBeGreaterThan(1);
    expect(await shifts.letFontsArrive(), path).toBeLessThanOrEqual(fewestShifts);
    expect(await page.evaluate(measureMoves, pieces), path).toBeLessThanOrEqual(fewestShifts);
  }
});

/** Where a page is cut: after each of these elements, if another element follows. */
const cuts = /(?<=<\/(?:h1|form|picture|nav|section)>)(?=<[a-z])/;

/**
 * Draws a page from more and more of its pieces. Returns how much moves on the screen when a piece arrives, each element
 * measured as browsers measure a shift: its share of the screen by the share that it moves.
 */
function measureMoves(pieces: string[]): number {
  const isHeld = () =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=expect]')].some(
      ({ href }) => !document.getElementById(new URL(href).hash.slice(1)),
    );
  let moves = 0;
  let before: DOMRect[] = [];
  document.open();
  for (const piece of pieces) {
    // Unlike innerHTML, this runs inline scripts.
    document.write(piece);
    // A page with rel=expect is drawn only when that element has arrived.
    if (isHeld()) continue;
    const now = [...document.body.querySelectorAll('*')].map((element) => element.getBoundingClientRect());
    for (const [place, { left, top, bottom, width, height }] of before.entries()) {
      if (bottom <= 0 || top >= innerHeight) continue;
      const distance = Math.max(Math.abs(now[place]!.left - left), Math.abs(now[place]!.top - top));
      moves += ((width * height) / (innerWidth * innerHeight)) * (distance / innerHeight);
    }
    before = now;
  }
  document.close();
  return moves;
}
