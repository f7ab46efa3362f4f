import { expect, test } from '@playwright/test';
import { anchors } from '../../src/site.ts';
import { everyPage, viewports } from './every-page.ts';

/** Selectors of short texts that usually have one paragraph. */
const texts = ['.ticket li', '.bays li', '.levels li', '.lede', '.accordion-panel'];

for (const viewport of viewports) {
  test(`a second paragraph of a text is below the first, at ${viewport.width} px`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await page.locator('summary').first().click();
    await expect(page.locator('.accordion-panel').first()).toBeVisible();
    for (const text of texts) {
      const first = page.locator(`${text} p`).first();
      const places = await first.evaluate((paragraph) => {
        const second = paragraph.cloneNode(true) as Element;
        paragraph.after(second);
        return [paragraph, second].map((element) => element.getBoundingClientRect().toJSON());
      });
      const [above, below] = places;
      expect([below.left, below.width], text).toEqual([above.left, above.width]);
      expect(below.top, text).toBeGreaterThan(above.bottom);
    }
  });
}

test('a link in a perk has the color of its text in every state', async ({ page }) => {
  await page.goto('/');
  const perk = page.locator('.ticket li p').first();
  await perk.evaluate((paragraph) =>
    paragraph.replaceChildren(Object.assign(document.createElement('a'), { href: '/about', text: 'a link' })),
  );
  const link = perk.getByRole('link');
  const ink = await perk.evaluate((paragraph) => getComputedStyle(paragraph).color);
  await expect(link).toHaveCSS('color', ink);
  await link.hover();
  await expect(link).toHaveCSS('color', ink);
  await page.keyboard.press('Tab');
  await link.focus();
  await expect(link).toHaveCSS('outline-color', ink);
});

test('the words of the example drop are as dark as those of the perks ticket', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  const ink = await page.locator('.ticket').evaluate((ticket) => getComputedStyle(ticket).color);
  await expect(page.locator('.card .kept')).toHaveCSS('color', ink);
});

test('in forced colors both parts of the perks ticket have a complete edge', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/');
  for (const part of await page.locator('.ticket > *').all()) {
    await expect(part).toHaveCSS('border-top-style', 'solid');
    await expect(part).toHaveCSS('mask-image', 'none');
  }
});

test('a printed page has no controls, no empty frames and no closed questions', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  for (const path of everyPage) {
    await page.goto(path);
    const left = await page
      .locator('button, input, .inside')
      .evaluateAll((all) =>
        all.filter((element) => element.checkVisibility()).map((element) => element.outerHTML.slice(0, 80)),
      );
    expect(left, path).toEqual([]);
    const closed = await page
      .locator('.accordion-panel')
      .evaluateAll((all) => all.filter((answer) => !answer.checkVisibility() || answer.clientHeight === 0));
    expect(closed, path).toHaveLength(0);
  }
});

test('a printed page shows where its links lead', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  for (const path of everyPage) {
    await page.goto(path);
    const bare = await page
      .locator('main a:is([href^="/"], [href^="http"])')
      .evaluateAll((all) =>
        all
          .filter((link) => getComputedStyle(link, '::after').content === 'none')
          .map((link) => link.outerHTML),
      );
    expect(bare, path).toEqual([]);
  }
});

test('printed text is dark, because browsers leave backgrounds out', async ({ page }) => {
  // Browsers print in the light scheme.
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  for (const path of everyPage) {
    await page.goto(path);
    const pale = await page.locator('body *').evaluateAll((all) =>
      all.flatMap((element) => {
        const [red = 0, green = 0, blue = 0] = getComputedStyle(element).color.match(/\d+/g)!.map(Number);
        const hasWords = [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
        return hasWords && element.checkVisibility() && Math.max(red, green, blue) > 160
          ? [`${element.outerHTML.slice(0, 100)}`]
          : [];
      }),
    );
    expect(pale, path).toEqual([]);
  }
});

test('on narrow paper, the text of a feature is below its title', async ({ page }) => {
  await page.setViewportSize({ width: 480, height: 800 });
  await page.emulateMedia({ media: 'print' });
  await page.goto('/');
  const [title, words] = await page
    .locator('.bays li')
    .first()
    .evaluate((item) => ['h3', '.words'].map((part) => item.querySelector(part)!.getBoundingClientRect()));
  expect(words!.left).toBe(title!.left);
  expect(words!.top).toBeGreaterThan(title!.top);
});

test('stencil letters are at least 27 px, even on the narrowest screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of [...everyPage, `/${anchors.notJoined}`, `/${anchors.joined}`]) {
    await page.goto(path);
    const small = await page.locator('body *').evaluateAll((all) =>
      all.flatMap((element) => {
        const { fontFamily, fontSize } = getComputedStyle(element);
        const isStencil = /stencil/i.test(fontFamily);
        const hasWords = [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
        return isStencil && hasWords && element.checkVisibility() && parseFloat(fontSize) < 27
          ? [`${element.textContent}: ${fontSize}`]
          : [];
      }),
    );
    expect(small, path).toEqual([]);
  }
});
