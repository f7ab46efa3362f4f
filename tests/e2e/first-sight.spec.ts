import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { everyPage, viewports } from './every-page.ts';
import { test } from './landing-page.ts';
import { fewestShifts, watchShifts } from './shifts.ts';

const [phone, , desktop] = viewports;

test.use({ reducedMotion: 'no-preference' });

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
    const yard = page.locator('.yard img');
    await expect(yard).toBeInViewport({ ratio: 0.45 });
    // The picture for phones and tablets has no transparency, so it needs the color of the page. The other is transparent.
    for (const colorScheme of viewport === desktop ? [] : (['dark', 'light'] as const)) {
      await page.emulateMedia({ colorScheme });
      await expect(async () => expect(await yard.evaluate(measureCorner)).toBeLessThan(8)).toPass();
    }
  }
});

test('no page shifts on a phone while it arrives in pieces, or when its fonts arrive late', async ({
  page,
  baseURL,
}) => {
  test.slow();
  const line = await openLine(baseURL!);
  await page.setViewportSize(phone);
  await page.route('**', (route) => {
    const request = route.request();
    if (!request.isNavigationRequest()) return route.continue();
    return route.continue({ url: request.url().replace(baseURL!, line.url) });
  });
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
  line.close();
});

/** Where a page is cut: after each of these elements, if another element follows. */
const cuts = /(?<=<\/(?:h1|form|picture|nav|section)>)(?=<[a-z])/;

/**
 * Opens a server that passes the pages of a site on in pieces. The first piece passes at once, and `sendPiece` sends the
 * next one, which adds at least one element. It returns whether there was one.
 */
async function openLine(site: string) {
  let pieces: string[] = [];
  let page: ServerResponse;
  const server = createServer(async ({ url }, response) => {
    const answer = await fetch(`${site}${url}`);
    const [first, ...others] = (await answer.text()).split(cuts);
    pieces = others;
    page = response.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8' });
    page.write(first);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendPiece(): boolean {
      const piece = pieces.shift();
      if (piece === undefined) page.end();
      else page.write(piece);
      return piece !== undefined;
    },
    close: () => server.close(),
  };
}

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
