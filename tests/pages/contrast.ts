import type { Page } from '@playwright/test';

declare global {
  /** Measures the contrast of a color with what is behind an element. `addContrast` adds it to a page. */
  var measureContrast: (color: string, element: Element) => number;
}

/** Adds `measureContrast` to every document that a page opens. */
export function addContrast(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
    const read = (color: string) => {
      canvas.clearRect(0, 0, 1, 1);
      // A canvas ignores "none" and keeps the color before it.
      canvas.fillStyle = 'transparent';
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data] as [number, number, number, number];
    };
    /** The "relative luminance" of WCAG 2.2. */
    const luminance = (color: string) => {
      const [red, green, blue] = read(color).map((part) =>
        part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      ) as [number, number, number];
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const surface = (part: Element) => getComputedStyle(part).getPropertyValue('--surface');
    /**
     * Finds the nearest opaque background color, which may be that of a shape behind the words. For a background image,
     * returns the `--surface` of that part of the page.
     */
    const findGround = (from: Element): string => {
      const { backgroundColor, position } = getComputedStyle(from, '::before');
      if (position === 'absolute' && read(backgroundColor)[3] === 255) return backgroundColor;
      const own = getComputedStyle(from).backgroundColor;
      if (read(own)[3] === 255) return own;
      const parent = from.parentElement;
      return parent && surface(parent) === surface(from) ? findGround(parent) : surface(from);
    };
    globalThis.measureContrast = (color, element) => {
      if (read(color)[3] === 0) return 1;
      const [light, dark] = [color, findGround(element)]
        .map(luminance)
        .toSorted((one, other) => other - one) as [number, number];
      return (light + 0.05) / (dark + 0.05);
    };
  });
}
