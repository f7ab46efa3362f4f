import { expect, type Locator } from '@playwright/test';
import sharp from 'sharp';

/**
 * Expects that a person sees an element: a point of it is in front, and its words differ from what is painted behind them.
 * Playwright calls any box visible, even one that is masked, clipped, covered or off the screen.
 */
export async function expectSeen(element: Locator, name?: string): Promise<void> {
  await expect.poll(() => look(element), name).toEqual({ isInFront: true, isDrawn: true });
}

async function look(element: Locator) {
  const { isInFront, ...clip } = await element.evaluate((part) => {
    const { left, right, top, bottom, width, height } = part.getBoundingClientRect();
    const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
    const places = [0.1, 0.3, 0.5, 0.7, 0.9];
    const isInFront = places.some((down) =>
      places.some((across) =>
        part.contains(document.elementFromPoint(left + across * width, top + down * height)),
      ),
    );
    return {
      isInFront,
      x,
      y,
      width: Math.min(right, innerWidth) - x,
      height: Math.min(bottom, innerHeight) - y,
    };
  });
  if (!isInFront) return { isInFront, isDrawn: false };
  const screenshot = () => element.page().screenshot({ clip });
  const before = await screenshot();
  await element.evaluate((part: HTMLElement) => part.style.setProperty('color', 'transparent', 'important'));
  const pictures = [before, await screenshot()].map((picture) => sharp(picture).raw().toBuffer());
  const [words, ground] = await Promise.all(pictures);
  const isDrawn = words!.some((channel, index) => Math.abs(channel - ground![index]!) > 64);
  await element.evaluate((part: HTMLElement) => part.style.removeProperty('color'));
  return { isInFront, isDrawn };
}
