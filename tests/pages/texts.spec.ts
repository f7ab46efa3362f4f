import { expect, test } from '@playwright/test';
import { everyPage, viewports } from './every-page.ts';

/** Selectors of short texts that usually have one paragraph. */
const texts = ['.ticket li', '.bays .words', '.levels li', '.lede', '.accordion-panel'];

test('a second paragraph of a text is below the first, on phones, tablets and desktops', async ({ page }) => {
  await page.goto('/');
  await page.locator('summary').first().click();
  await expect(page.locator('.accordion-panel').first()).toBeVisible();
  for (const text of texts) {
    const paragraphs = page.locator(`${text} p`);
    await paragraphs.first().evaluate((first) => first.after(first.cloneNode(true)));
    for (const viewport of viewports) {
      await page.setViewportSize(viewport);
      const [above, below] = await paragraphs.evaluateAll((all) =>
        all.slice(0, 2).map((element) => element.getBoundingClientRect()),
      );
      const place = `${text} at ${viewport.width} px`;
      expect([below!.left, below!.width], place).toEqual([above!.left, above!.width]);
      expect(below!.top, place).toBeGreaterThan(above!.bottom);
    }
  }
});

test('a printed page has no controls, no empty frames, no closed questions, dark text, and the URL of each link', async ({
  page,
}) => {
  // Browsers print in the light scheme, and leave backgrounds out.
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  for (const path of everyPage) {
    await page.goto(path);
    const faults = await page.locator('body *').evaluateAll((all) => {
      const isShown = (element: Element) => element.checkVisibility() && element.clientHeight > 0;
      const isPale = (element: Element) => {
        const channels = getComputedStyle(element).color.match(/\d+/g)!.slice(0, 3).map(Number);
        const hasWords = [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
        return hasWords && element.checkVisibility() && Math.max(...channels) > 160;
      };
      const isFault = (element: Element) =>
        element.matches('button, input, .bay:not(:has(.slip))')
          ? element.checkVisibility()
          : isPale(element) ||
            (element.matches('.accordion-panel') && !isShown(element)) ||
            (element.matches('main a:is([href^="/"], [href^="http"])') &&
              getComputedStyle(element, '::after').content === 'none');
      return all.filter(isFault).map((element) => element.outerHTML.slice(0, 100));
    });
    expect(faults, path).toEqual([]);
  }
  await page.setViewportSize({ width: 480, height: 800 });
  await page.goto('/');
  const [title, words] = await page
    .locator('.bays li')
    .first()
    .evaluate((item) =>
      ['h3', '.words'].map((part) => item.querySelector(`:scope > ${part}`)!.getBoundingClientRect()),
    );
  expect(words!.left, 'on narrow paper').toBe(title!.left);
  expect(words!.top).toBeGreaterThan(title!.top);
});
