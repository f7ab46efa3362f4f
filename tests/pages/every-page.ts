import { existsSync } from 'node:fs';
import type { Page, Route } from '@playwright/test';

/** The unsubscribe page, as a member with a token sees it. Half of all tokens have a hyphen. */
export const unsubscribeWithToken = `/unsubscribe#${'-_'.padEnd(43, 'x')}`;

/**
 * A path for each page of the site, and for each state that a page can open in; an unknown path shows the landing page. None with
 * a fragment follows another one of the same page, which a browser would not load again.
 */
export const everyPage = [
  '/',
  '/unsubscribe',
  '/about',
  unsubscribeWithToken,
  '/support',
  '/unsubscribe#unsubscribed',
  '/terms-of-use',
  '/unsubscribe#not-unsubscribed',
  '/privacy-policy',
  '/welcome',
  '/welcome/name%40example.org',
  '/welcome/%E0%A4%A',
] as const;

/** A phone, a tablet and a desktop, and the widths at which other words are tried. */
export const viewports = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const;
export const widths = [320, 768, 1440, 2560];

/** Waits for the fonts and ends animations, except those that follow scrolling or never end. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const animation of document.getAnimations()) {
      const { timeline, effect } = animation;
      if (timeline === document.timeline && isFinite(effect?.getComputedTiming().endTime as number))
        animation.finish();
    }
  });
}

/** Opens all questions of a page at once. */
export function openQuestions(page: Page): Promise<void> {
  return page.locator('details').evaluateAll((all: HTMLDetailsElement[]) => {
    for (const details of all) {
      // Otherwise opening one would close the others.
      details.removeAttribute('name');
      details.open = true;
    }
  });
}

/** Answers a request in place of the static host, from the folder of a built site. */
export function answerFrom(folder: string, route: Route): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const path = pathname.startsWith('/welcome/') ? '/welcome' : pathname;
  const file = [path, `${path}/index.html`].find((one) => /\.\w+$/.test(one) && existsSync(folder + one));
  return route.fulfill(file ? { path: folder + file } : { status: 404, path: `${folder}/404.html` });
}
