import { expect, type Page } from '@playwright/test';
import { anchors, pages, social } from '../../src/config/site.ts';
import { readWords } from '../words.ts';
import { addContrast } from './contrast.ts';
import { settle, unsubscribeWithToken, viewports } from './every-page.ts';
import { test } from './landing-page.ts';

const [phone, , desktop] = viewports;

test.beforeEach(({ page }) => addContrast(page));

const success = readWords('success');

// The landing page has every kind of control, so each other page is in one of the looks.
for (const [viewport, colorScheme, ...paths] of [
  [phone, 'dark', '/terms-of-use', '/'],
  [desktop, 'light', '/support', '/welcome/name', unsubscribeWithToken, '/'],
] as const) {
  test(`the focus is seen at every stop: ${viewport.width} px, ${colorScheme}`, async ({ page, landing }) => {
    test.slow();
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    for (const path of paths) {
      await page.goto(path);
      let stops = 0;
      do await page.keyboard.press('Tab');
      while ((await isFocusSeen(page)) && ++stops);
      expect(stops, path).toBeGreaterThan(10);
    }
    await landing.fake({});
    const { features, discord, faq, close } = readWords('navigation');
    await landing.menu.trigger.press('Enter');
    for (const [name, link] of [
      [features, anchors.features],
      [pages.about.label, pages.about.link],
      [discord, social.discord.link],
      [faq, anchors.faq],
      [readWords('waitlistForm').action, anchors.top],
      [close],
    ] as const) {
      await page.keyboard.press('Tab');
      await expect(page.locator(':focus')).toHaveAccessibleName(name);
      if (link) await expect(page.locator(':focus')).toHaveAttribute('href', link);
      // For a moment, the menu covers itself.
      await expect(async () => expect(await isFocusSeen(page)).toBe(true)).toPass();
    }
    await page.keyboard.press('Escape');
    await expect(landing.menu.trigger).toBeFocused();
    await landing.join();
    await settle(page);
    for (const name of [success.action, success.close]) {
      await page.keyboard.press('Tab');
      await expect(page.locator(':focus')).toHaveAccessibleName(name);
      expect(await isFocusSeen(page)).toBe(true);
    }
  });
}

test('a sign-up moves the focus into the modal and back where it was', async ({ page, landing }) => {
  await page.setViewportSize({ width: 360, height: 200 }); // which the form does not fit
  await landing.open();
  for (const [place, isSafari] of [['field'], ['button'], ['button', true]] as const) {
    const answer = await landing.holdAnswers();
    await landing.hero.field.fill('visitor@example.org');
    await landing.hero[place].focus();
    if (isSafari) await landing.hero[place].blur();
    const top = await page.evaluate(() => scrollY);
    if (isSafari) await landing.hero.button.evaluate((button: HTMLElement) => button.click());
    else await landing.hero[place].press('Enter');
    await expect(landing.hero.button).toBeDisabled();
    await expect(place === 'field' ? landing.hero.field : landing.hero.root).toBeFocused();
    answer();
    await expect(landing.success.getByRole('heading')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(landing.hero[place]).toBeFocused();
    expect(await page.evaluate(() => scrollY), 'the place in the page').toBe(top);
  }
  const answer = await landing.holdAnswers();
  await landing.hero.submit('visitor@example.org');
  await landing.waitlist.field.focus();
  answer();
  await landing.success.getByRole('button', { name: success.close, exact: true }).click();
  await expect(landing.waitlist.field, 'which the visitor has moved on to').toBeFocused();
});

/**
 * Expects that nothing hides the focused element, and that its ring is at least 2 px wide and contrasts with the background.
 * Resolves to false when nothing has the focus.
 */
async function isFocusSeen(page: Page): Promise<boolean> {
  const seen = await page.evaluate(() => {
    const element = document.activeElement!;
    if (element === document.body) return undefined;
    const style = getComputedStyle(element);
    const offset = parseFloat(style.outlineOffset);
    // A focused field also highlights its border.
    const lit = style.borderColor === style.outlineColor ? parseFloat(style.borderWidth) : 0;
    const { left, top, width, height } = element.getClientRects()[0]!;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const reach = offset + parseFloat(style.outlineWidth);
    const isCut = [...document.querySelectorAll('body *')].some((around) => {
      if (around === element || !around.contains(element)) return false;
      const edge = around.getBoundingClientRect();
      const { overflowX, overflowY } = getComputedStyle(around);
      const isBeside = left - reach < edge.left || left + width + reach > edge.right;
      const isAbove = top - reach < edge.top || top + height + reach > edge.bottom;
      return (overflowX !== 'visible' && isBeside) || (overflowY !== 'visible' && isAbove);
    });
    return {
      isCut,
      isInFront: Boolean(hit && (element.contains(hit) || hit.contains(element))),
      isDrawn: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) + lit >= 2,
      contrast: measureContrast(style.outlineColor, offset < 0 ? element : element.parentElement!),
      name: element.outerHTML.slice(0, 120),
    };
  });
  if (!seen) return false;
  expect(seen, seen.name).toMatchObject({ isInFront: true, isDrawn: true, isCut: false });
  expect(seen.contrast, seen.name).toBeGreaterThanOrEqual(3);
  return true;
}
