import { expect, type Page } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { holdScripts, makeAddress, readEntries, test } from './landing-page.ts';

/** What translators do to every text: Chrome and Edge wrap it in two elements, Firefox and Safari change it in place. */
const ways = ['new nodes around every text', 'other words in the same nodes'] as const;

function translate(page: Page, way: (typeof ways)[number]): Promise<void> {
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
  }, way === ways[0]);
}

test.afterEach(({ landing }) => expect(landing.errors).toEqual([]));

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

for (const way of ways) {
  test(`with ${way} before the scripts arrive, the menu stays open, one question is open at a time, and both forms sign up`, async ({
    page,
    landing,
  }) => {
    const { release } = await holdScripts(page);
    await landing.open();
    await translate(page, way);
    const menu = page.locator('header dialog');
    await page.locator('header button[command]').click();
    release();
    await expect(page.locator('header astro-island')).not.toHaveAttribute('ssr');
    await expect(menu).toBeVisible();
    expect(await menu.evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
    await page.keyboard.press('Escape');
    const questions = page.locator(`${anchors.faq} details`);
    for (const index of [0, 1]) {
      await questions.nth(index).locator('summary').click();
      await expect(questions.and(page.locator('[open]'))).toHaveCount(1);
      await expect(questions.nth(index)).toHaveAttribute('open');
    }
    for (const index of [0, 1]) {
      const { field, button } = findForm(page, index);
      const address = makeAddress('translated');
      const label = await button.textContent();
      await field.fill(address);
      await button.click();
      await expectSuccess(page);
      await expect(field).toHaveValue('');
      await expect(button).toHaveText(label!);
      expect(await readEntries(address)).toHaveLength(1);
    }
    await landing.expectCalls('welcome', 'entry', 'welcome', 'entry');
  });

  test(`with ${way} while both forms are held, while they are sending and after that, they sign up, and open one modal`, async ({
    page,
    landing,
  }) => {
    const { release } = await holdScripts(page);
    const answer = await landing.holdAnswers();
    await landing.open();
    const forms = [findForm(page, 0), findForm(page, 1)];
    for (const { field, button } of forms) {
      await field.fill('name@example.org');
      await button.click();
      await expect(button).toBeDisabled();
    }
    await translate(page, way);
    release();
    await landing.expectCalls('welcome', 'welcome');
    await translate(page, way);
    answer();
    await expectSuccess(page);
    for (const { field, button } of forms) {
      await expect(button).toBeEnabled();
      await translate(page, way);
      await field.fill('name@example.org');
      await button.click();
      await expectSuccess(page);
      await expect(field).toHaveValue('');
      await expect(button).toBeEnabled();
    }
  });
}
