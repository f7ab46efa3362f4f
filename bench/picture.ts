import type { Phone } from './phone.ts';

/** The picture of the landing page, as a phone gets it. */
export interface Picture {
  /** Its path on the site. */
  path: string;
  width: number;
  height: number;
  alt: string;
}

/** Looks which picture of the landing page at `url` a phone loads. Resolves to nothing when there is none. */
export function readPicture(phone: Phone, url: string): Promise<Picture | undefined> {
  return phone.visit(async ({ page }) => {
    await page.goto(url);
    const image = page.locator('main img:not([alt=""])').first();
    if ((await image.count()) === 0) return undefined;
    await image.scrollIntoViewIfNeeded();
    return image.evaluate(async (element: HTMLImageElement) => {
      await element.decode();
      const { currentSrc, alt } = element;
      const [width, height] = [element.getAttribute('width'), element.getAttribute('height')].map(Number);
      return { path: new URL(currentSrc).pathname, width: width!, height: height!, alt };
    });
  });
}
