import { expect, test } from '@playwright/test';
import { viewports } from './every-page.ts';

/** Short texts of content files, each the place of one paragraph. */
const texts = ['.ticket li', '.bays li', '.levels li', '.lede', '.accordion-panel'];

for (const viewport of viewports) {
  test(`a second paragraph of a text stands below the first, at ${viewport.width} px`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await page.locator('summary').first().click();
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
