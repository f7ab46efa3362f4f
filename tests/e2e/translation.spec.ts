import { expect, type Page } from '@playwright/test';
import { anchors } from '../../src/site.ts';
import { holdScripts, LandingPage, makeAddress, readEntries, reply } from './landing-page.ts';
import { test } from './violations.ts';

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

let landing: LandingPage;
test.beforeEach(({ page }) => void (landing = new LandingPage(page)));
test.afterEach(() => expect(landing.logs.filter((line) => line.startsWith('error'))).toEqual([]));

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
  for (const moment of ['before it is used', 'after it was used', 'while it is sending'] as const) {
    test(`with ${way} ${moment}, both forms sign up, and the modal is modal, in view and focused`, async ({
      page,
    }) => {
      const addresses = [makeAddress('first'), makeAddress('second')];
      const gate = Promise.withResolvers<void>();
      if (moment === 'while it is sending')
        await page.route('**/functions/v1/resend-email', async (route) => {
          if (route.request().method() === 'POST') await gate.promise;
          await route.continue();
        });
      await landing.open();
      if (moment === 'before it is used') await translate(page, way);
      for (const [index, address] of addresses.entries()) {
        const { field, button } = findForm(page, index);
        const label = await button.textContent();
        await field.fill(address);
        await expect(page.locator('astro-island:not([ssr]) form[method=post]')).toHaveCount(index + 1);
        if (moment === 'after it was used') await translate(page, way);
        await button.click();
        if (moment === 'while it is sending' && index === 0) {
          await expect(button).toBeDisabled();
          await translate(page, way);
          gate.resolve();
        }
        await expectSuccess(page);
        await expect(field).toHaveValue('');
        await expect(button).toBeEnabled();
        if (moment === 'before it is used') await expect(button).toHaveText(label!);
        expect(await readEntries(address)).toHaveLength(1);
      }
      await landing.expectCalls('welcome', 'entry', 'welcome', 'entry');
    });
  }

  test(`with ${way} before the scripts arrive, a held submit leads to the modal`, async ({ page }) => {
    const { release } = await holdScripts(page);
    await landing.open();
    const { field, button } = findForm(page, 0);
    await field.fill(makeAddress('held'));
    await button.click();
    await expect(button).toBeDisabled();
    await translate(page, way);
    release();
    await expectSuccess(page);
    await expect(button).toBeEnabled();
  });

  test(`with ${way}, the menu stays open and one question is open at a time`, async ({ page }) => {
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
  });
}

test('two forms that are sent at once open one modal', async ({ page }) => {
  const gate = Promise.withResolvers<void>();
  await landing.fake({ welcome: async (route) => (await gate.promise, reply(route, 200, '{}')) });
  await landing.open();
  await translate(page, ways[0]);
  for (const index of [0, 1]) {
    const { field, button } = findForm(page, index);
    await field.fill('name@example.org');
    await button.click();
    await expect(button).toBeDisabled();
  }
  gate.resolve();
  await expectSuccess(page);
  for (const index of [0, 1]) await expect(findForm(page, index).button).toBeEnabled();
});
