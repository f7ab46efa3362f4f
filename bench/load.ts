import { setTimeout } from 'node:timers/promises';
import type { CDPSession, Page } from '@playwright/test';
import type { Phone } from './phone.ts';
import { type Bytes, Traffic, weighInline } from './traffic.ts';

const WINDOW = 8_000; // milliseconds from the start in which the main thread is watched

/** What a visitor on a slow phone waits for. Times in milliseconds. */
export interface Load {
  bytes: Bytes;
  inlineScript: number;
  inlineStyle: number;
  firstPaint: number;
  largestPaint: number;
  layoutShift: number;
  blocked: number;
  mainThread: number;
}

/** Opens the page at `url` with an empty cache on slow 4G, and touches nothing. */
export function measureLoad(phone: Phone, url: string): Promise<Load> {
  return phone.visit(
    async ({ page, devtools }) => {
      const traffic = new Traffic(devtools);
      await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.addInitScript(watchPaints);
      const before = await readTaskTime(devtools);
      const started = Date.now();
      await page.goto(url, { timeout: 60_000 });
      await traffic.settle();
      await setTimeout(Math.max(0, started + WINDOW - Date.now()));
      const mainThread = (await readTaskTime(devtools)) - before;
      const inline = await weighInline(page);
      return {
        bytes: traffic.read(),
        inlineScript: inline.script,
        inlineStyle: inline.style,
        ...(await readPaints(page)),
        mainThread,
      };
    },
    { isSlow: true },
  );
}

interface Paints {
  firstPaint: number;
  largestPaint: number;
  layoutShift: number;
  blocked: number;
}

/** Runs in the page. */
function watchPaints(): void {
  const seen = { firstPaint: 0, largestPaint: 0, layoutShift: 0, blocked: 0 };
  Object.assign(window, { seenPaints: seen });
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.firstPaint = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => (seen.largestPaint = startTime));
  watch('layout-shift', (entry) => (seen.layoutShift += (entry as unknown as { value: number }).value));
  watch('longtask', ({ duration }) => (seen.blocked += duration - 50));
}

function readPaints(page: Page): Promise<Paints> {
  return page.evaluate(() => (window as unknown as { seenPaints: Paints }).seenPaints);
}

async function readTaskTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}
