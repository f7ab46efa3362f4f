import { expect, type Page } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { readWords } from '../words.ts';
import { holdScripts, makeAddress, readEntries, test } from './landing-page.ts';

/** Does what translators do to every text: Chrome and Edge wrap it in two elements, Firefox and Safari change it in place. */
function translate(page: Page, isWrapping: boolean): Promise<void> {
  return page.evaluate((isWrapping) => {
    document.documentElement.lang = 'es';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement!.closest('script, style')) continue;
      const words = `¡${text.data.trim()}!`;
      if (!isWrapping) {
        text.data = words;
        continue;
      }
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.append(words);
      outer.append(inner);
      text.replaceWith(outer);
    }
  }, isWrapping);
}

test.afterEach(({ landing }) => landing.expectNoError());

/** The words of the page are no longer those of its content, so forms and modals are found by their place. */
function findForm(page: Page, index: number) {
  const root = page.locator('form[method=post]').nth(index);
  return { field: root.locator('input[type=email]'), button: root.locator('button[type=submit]') };
}

async function expectSuccess(page: Page): Promise<void> {
  const modal = page.locator(anchors.joined);
  await expect(modal).toBeInViewport({ ratio: 0.9 });
  expect(await modal.evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
  await expect(modal.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(modal).toBeHidden();
}

for (const isWrapping of [true, false]) {
  test(`a page translated with ${isWrapping ? 'new nodes' : 'other words'} works`, async ({
    page,
    landing,
  }) => {
    const { release } = await holdScripts(page);
    const answer = await landing.holdAnswers();
    await landing.open();
    await translate(page, isWrapping);
    const forms = [findForm(page, 0), findForm(page, 1)];
    for (const { field, button } of forms) {
      await field.fill('name@example.org');
      await button.click();
      await expect(button).toHaveText(readWords('waitlistForm').sending);
    }
    const menu = page.locator('header dialog');
    await page.locator('header button[command]').click();
    await translate(page, isWrapping);
    release();
    await expect(page.locator('header astro-island')).not.toHaveAttribute('ssr');
    expect(await menu.evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
    await page.keyboard.press('Escape');
    const questions = page.locator(`${anchors.faq} details`);
    for (const index of [0, 1]) {
      await questions.nth(index).locator('summary').click();
      await expect(questions.and(page.locator('[open]'))).toHaveCount(1);
      await expect(questions.nth(index)).toHaveAttribute('open');
    }
    await landing.expectCalls('welcome', 'welcome');
    await translate(page, isWrapping);
    answer();
    await expectSuccess(page);
    await page.unrouteAll();
    for (const { field, button } of forms) {
      await expect(button).toBeEnabled();
      await translate(page, isWrapping);
      const address = makeAddress('translated');
      const label = await button.textContent();
      await field.fill(address);
      await button.click();
      await expectSuccess(page);
      await expect(button).toHaveText(label!);
      expect(await readEntries(address)).toHaveLength(1);
    }
  });
}
