import { expect, type Page } from '@playwright/test';

/** How much of the screen may move, and how far: a tenth of what Google calls good (https://web.dev/articles/cls). */
export const fewestShifts = 0.01;

/** Holds back the fonts of the pages that open next, and measures what shifts on them. */
export async function watchShifts(page: Page) {
  let gate = Promise.withResolvers<void>();
  let held = 0;
  await page.route('**/*.woff2', async (route) => (held++, await gate.promise, route.fallback()));
  await page.addInitScript(() => {
    const shifts: number[] = [];
    const note = (entries: PerformanceEntry[]) =>
      shifts.push(...entries.map((entry) => (entry as PerformanceEntry & { value: number }).value));
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // Including those that the browser has not reported yet.
    Object.assign(window, { readShifts: () => (note(observer.takeRecords()), shifts) });
  });
  const draw = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return {
    /** Lets the fonts of a page arrive that is complete without them. Returns the sum of its shifts. */
    async letFontsArrive(): Promise<number> {
      await expect.poll(() => held).toBeGreaterThan(0);
      await draw();
      gate.resolve();
      await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load().catch(() => {}))));
      await draw();
      const shifts = await page.evaluate(() =>
        (window as unknown as { readShifts(): number[] }).readShifts(),
      );
      gate = Promise.withResolvers();
      held = 0;
      return shifts.reduce((sum, shift) => sum + shift, 0);
    },
  };
}
