import { expect, type Page } from '@playwright/test';
import { anchors, site } from '../../src/config/site.ts';
import { readWords } from '../words.ts';
import { addContrast } from './contrast.ts';
import { everyPage, openQuestions, settle, viewports } from './every-page.ts';
import { addAxe, findViolations } from './faults.ts';
import { test } from './landing-page.ts';
import { expectSeen } from './seen.ts';

test.beforeEach(({ page }) => Promise.all([addContrast(page), addAxe(page)]));

test('every page has its language, the notice and no axe violation', async ({ page }) => {
  test.slow();
  const { joined, addressRefused, notJoined, tryLater, closed } = anchors;
  const outcomes = [joined, addressRefused, notJoined, tryLater, closed].map((one) => `/${one}` as const);
  for (const path of [...outcomes, ...everyPage]) {
    await page.goto(path);
    if (!path.startsWith('/#')) expect(await page.evaluate(() => scrollY), path).toBe(0);
    await openQuestions(page);
    await expect(page.locator('html'), path).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('contentinfo'), path).toContainText(site.independenceNotice);
    // States of one page differ only in its main part.
    const part = /^\/\w+[#/]/.test(path) ? 'main' : undefined;
    await expectNoViolation(page, path.startsWith('/#') ? ':target' : part);
  }
});

test('skip link, menu, form and success modal have no axe violation', async ({ page, landing }) => {
  const answer = await landing.holdAnswers();
  await landing.open();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: readWords('header').skip })).toBeFocused();
  await expectNoViolation(page, ':focus');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(landing.hero.field).toBeFocused();
  await landing.menu.open();
  await expectNoViolation(page, 'dialog[open]');
  await page.keyboard.press('Escape');
  await landing.hero.submit('no address');
  await expectNoViolation(page, 'form[method=post]');
  await landing.hero.submit('visitor@example.org');
  await expect(landing.hero.button).toHaveText(readWords('waitlistForm').sending);
  await page.mouse.move(0, 0); // a button under the pointer has other colors
  await expectNoViolation(page, 'form[method=post]');
  answer();
  await expect(landing.success).toBeVisible();
  await expectNoViolation(page, 'dialog[open]');
  const controls = page.locator('.action, [type=radio]');
  const readLooks = (all: Element[]) =>
    all.flatMap((one) => ['', '::before'].map((part) => getComputedStyle(one, part).backgroundColor));
  const looks = await controls.evaluateAll(readLooks);
  const underPointer = (await page.content()).replaceAll(/(?<!hover):hover/g, ':not(.none)');
  await page.goto('about:blank');
  await page.setContent(underPointer.replaceAll(/hover: ?hover/g, 'hover: none'));
  expect(await controls.evaluateAll(readLooks), 'after a tap, on a phone').toEqual(looks);
  await page.setContent(underPointer);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findPale(page, 'body', 'form .action'), `under the pointer, ${colorScheme}`).toEqual([]);
  }
});

/**
 * Checks the widest layout in the light scheme and the narrowest in the dark one. Widths in between use the rules of one of them.
 * Both show the same elements, but for the header and the pictures of the landing page.
 */
async function expectNoViolation(page: Page, part?: string): Promise<void> {
  for (const [viewport, colorScheme] of [
    [viewports[2], 'light'],
    [viewports[0], 'dark'],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await settle(page);
    const look = `${page.url()}, ${viewport.width} px, ${colorScheme}`;
    const isLook = colorScheme === 'dark' && (part !== undefined || !page.url().endsWith('/'));
    expect(await findViolations(page, part, isLook), look).toEqual([]);
    expect(await findPale(page, part), look).toEqual([]);
  }
  for (const button of await page.locator(`${part ?? 'body'} .action:visible`).all()) {
    await button.scrollIntoViewIfNeeded();
    await expectSeen(button, `a button of ${page.url()}`);
  }
}

/** Lists words, fields and shapes that contrast too little with what is behind them, which may be a background image. */
function findPale(page: Page, part = 'body', shapes = '.action:not(:disabled, .join)'): Promise<string[]> {
  return page.locator(part).evaluateAll((roots, shapes) => {
    const seen = (selector: string) =>
      roots.flatMap((root) => [...root.querySelectorAll(selector)]).filter((one) => one.checkVisibility());
    const words = seen('*').filter((element) => {
      const hasWords = [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
      const isRead = hasWords || element.matches('li'); // its number
      const { color, fontSize } = getComputedStyle(element);
      return isRead && measureContrast(color, element) < (parseFloat(fontSize) < 24 ? 4.5 : 3);
    });
    const fields = seen('input[type=email]').filter((field) => {
      const { color, opacity } = getComputedStyle(field, '::placeholder');
      const { backgroundColor, borderColor, colorScheme } = getComputedStyle(field);
      // The browser colors a value that it fills in by the scheme, whatever color the page gave the words.
      const isLight = measureContrast('black', field) > measureContrast('white', field);
      if (colorScheme !== (isLight ? 'light' : 'dark')) return true;
      const placeholder = `color-mix(in srgb, ${color} ${Number(opacity) * 100}%, ${backgroundColor})`;
      return (
        measureContrast(placeholder, field) < 4.5 || measureContrast(borderColor, field.parentElement!) < 3
      );
    });
    // Only its words identify the ticket in the header.
    const buttons = seen(shapes).filter((button) => {
      const { backgroundColor, borderColor } = getComputedStyle(button, '::before');
      return [backgroundColor, borderColor].every(
        (color) => measureContrast(color, button.parentElement!) < 2,
      );
    });
    return [...words, ...fields, ...buttons].map((element) => element.outerHTML.slice(0, 120));
  }, shapes);
}
