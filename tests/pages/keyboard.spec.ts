import { expect, type Page } from '@playwright/test';
import { pages } from '../../src/config/site.ts';
import { readWords } from '../words.ts';
import { addContrast } from './contrast.ts';
import { settle, unsubscribeWithToken, viewports } from './every-page.ts';
import { reply, test } from './landing-page.ts';

const [phone, , desktop] = viewports;

test.beforeEach(({ page }) => addContrast(page));

const navigation = readWords('navigation');
const success = readWords('success');

for (const [viewport, paths] of [
  [phone, ['/', '/terms-of-use', '/welcome', unsubscribeWithToken]],
  [desktop, ['/', '/support', '/terms-of-use']],
] as const) {
  test(`at ${viewport.width} px the focus is visible at every stop of pages and modals`, async ({
    page,
    landing,
  }) => {
    test.slow();
    await page.setViewportSize(viewport);
    for (const path of paths) {
      await page.goto(path);
      let stops = 0;
      for (;;) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(() => document.activeElement === document.body)) break;
        await expectFocusSeen(page);
        stops++;
      }
      expect(stops, path).toBeGreaterThan(10);
    }
    await landing.fake({});
    await landing.open();
    const { features, discord, faq, close } = navigation;
    await landing.menu.trigger.press('Enter');
    for (const name of [features, pages.about.label, discord, faq, readWords('waitlistForm').action, close]) {
      await page.keyboard.press('Tab');
      await expect(page.locator(':focus')).toHaveAccessibleName(name);
      await settle(page);
      await expectFocusSeen(page);
    }
    await page.keyboard.press('Escape');
    await landing.join();
    await settle(page);
    for (const name of [success.action, success.close]) {
      await page.keyboard.press('Tab');
      await expect(page.locator(':focus')).toHaveAccessibleName(name);
      await expectFocusSeen(page);
    }
  });
}

test('the first Tab stop is a link that skips the header, and moves nothing when it appears', async ({
  page,
  landing,
}) => {
  await page.goto('/');
  const main = page.getByRole('main');
  const place = await main.boundingBox();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: readWords('header').skip })).toBeInViewport({ ratio: 1 });
  expect(await main.boundingBox()).toEqual(place);
  await page.keyboard.press('Enter');
  await expect(main).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(landing.hero.field).toBeFocused();
});

test('a sign-up keeps the focus in the form, moves it into the modal and back to the field or the button', async ({
  page,
  landing,
}) => {
  await landing.open();
  for (const place of ['field', 'button'] as const) {
    const answer = await landing.holdAnswers();
    await landing.hero.field.fill('visitor@example.org');
    await landing.hero[place].press('Enter');
    await expect(landing.hero.button).toBeDisabled();
    await expect(place === 'field' ? landing.hero.field : landing.hero.root).toBeFocused();
    answer();
    await expect(landing.success.getByRole('heading')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(landing.hero[place]).toBeFocused();
  }
});

test('a failed sign-up leaves the focus where the visitor has moved it', async ({ landing }) => {
  const gate = Promise.withResolvers<void>();
  await landing.fake({ welcome: async (route) => (await gate.promise, reply(route, 503, '{}')) });
  await landing.open();
  await landing.hero.submit('visitor@example.org');
  await expect(landing.hero.button).toBeDisabled();
  await landing.waitlist.field.focus();
  gate.resolve();
  await expect(landing.hero.button).toBeEnabled();
  await expect(landing.waitlist.field).toBeFocused();
});

/**
 * Expects that the focused element is not cut off, that nothing covers it, and that its ring is at least 2 px wide and contrasts with the
 * background.
 */
async function expectFocusSeen(page: Page): Promise<void> {
  const seen = await page.locator(':focus').evaluate((element) => {
    const style = getComputedStyle(element);
    const offset = parseFloat(style.outlineOffset);
    // A focused field also highlights its border.
    const lit = style.borderColor === style.outlineColor ? parseFloat(style.borderWidth) : 0;
    const { left, top, right, bottom, width, height } = element.getClientRects()[0]!;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const reach = offset + parseFloat(style.outlineWidth);
    const isClipped = [...ancestorsOf(element)].some((ancestor) => {
      if (getComputedStyle(ancestor).overflow === 'visible') return false;
      const box = ancestor.getBoundingClientRect();
      return right + reach < box.left || left - reach > box.right || bottom < box.top || top > box.bottom;
    });
    function* ancestorsOf(inner: Element) {
      for (let next = inner.parentElement; next; next = next.parentElement) yield next;
    }
    return {
      isInFront: Boolean(hit && (element.contains(hit) || hit.contains(element))),
      isWhole: element.scrollWidth <= element.clientWidth + 1,
      isClipped,
      isDrawn: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) + lit >= 2,
      contrast: measureContrast(style.outlineColor, offset < 0 ? element : element.parentElement!),
      name: element.outerHTML.slice(0, 120),
    };
  });
  expect(seen, seen.name).toMatchObject({ isInFront: true, isWhole: true, isClipped: false, isDrawn: true });
  expect(seen.contrast, seen.name).toBeGreaterThanOrEqual(3);
}
