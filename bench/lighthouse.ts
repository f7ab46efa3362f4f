import lighthouse from 'lighthouse';
import type { Phone } from './phone.ts';

/** Lighthouse's scores, 0 to 100, and its simulated figures in milliseconds. */
export interface Scores {
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  largestPaint: number;
  blocked: number;
  layoutShift: number;
  mainThread: number;
}

/**
 * Runs Lighthouse's mobile preset on the page at `url`.
 *
 * @throws Error with Lighthouse's own words when it could not judge the page.
 */
export function measureLighthouse(phone: Phone, url: string): Promise<Scores> {
  return phone.visit(async ({ port }) => {
    const result = await lighthouse(url, {
      port,
      logLevel: 'silent',
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    });
    const { audits, categories, runtimeError } = result!.lhr;
    if (runtimeError) throw new Error(`Lighthouse could not judge ${url}: ${runtimeError.message}`);
    const score = (category: string) => Math.round(100 * (categories[category]?.score ?? 0));
    const value = (audit: string) => audits[audit]?.numericValue ?? 0;
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
      largestPaint: value('largest-contentful-paint'),
      blocked: value('total-blocking-time'),
      layoutShift: value('cumulative-layout-shift'),
      mainThread: value('mainthread-work-breakdown'),
    };
  });
}
