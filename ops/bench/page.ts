import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import sirv from 'sirv';
import { findBrowser } from '../stack/browser.ts';
import { findFreePort, readSettings } from '../stack/settings.ts';
import { buildSite } from '../stack/site-build.ts';
import { writeHandWrittenPage } from './hand-written.ts';

/** Compares the landing page with a hand-written one of the same words, and prints the table of docs/performance.md. */
const rounds = 5; // odd, so that the median is one of them
const times = {
  'first paint': 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  blocked: 'total-blocking-time',
  'main thread': 'mainthread-work-breakdown',
};
const sizes = ['Total', 'Document', 'Image', 'Font'];
const scores = ['performance', 'accessibility', 'best-practices', 'seo'];

const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
const [port, otherPort] = [await findFreePort(), await findFreePort()];
try {
  const settings = readSettings({ DATA_DIR: folder, SITE_PORT: String(port) });
  const handWritten = join(folder, 'hand-written');
  console.error('Building the site');
  await buildSite(settings, new AbortController().signal);
  writeHandWrittenPage(settings.siteFolder, handWritten);
  serve(settings.siteFolder, port);
  serve(handWritten, otherPort);
  const pages = [
    { name: 'this site', url: `http://localhost:${port}`, loads: [] as Record<string, number>[] },
    { name: 'hand-written page', url: `http://localhost:${otherPort}`, loads: [] },
  ];
  for (let round = 1; round <= rounds; round++) {
    // Rounds alternate which page comes first, so that a slow moment of the machine affects both.
    for (const { name, url, loads } of round % 2 ? pages : pages.toReversed()) {
      console.error(`Round ${round} of ${rounds}: ${name}`);
      loads.push(await measure(url));
    }
  }
  const month = new Date().toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
  console.log(`${month}, ${availableParallelism()} processor cores, medians of ${rounds} rounds.\n`);
  console.log(`| | ${pages.map(({ name }) => name).join(' | ')} |\n| :- | -: | -: |`);
  for (const figure of Object.keys(pages[0]!.loads[0]!)) {
    const cells = pages.map(({ loads }) => findMedian(loads.map((load) => load[figure]!)));
    console.log(`| ${figure} | ${cells.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
// The servers and Lighthouse would keep the process running.
process.exit();

/** Serves a folder on loopback like a static host, compressed once with brotli. */
function serve(folder: string, port: number): void {
  for (const file of globSync('**/*.{html,css,js,svg,json,xml,txt}', { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
  createServer(sirv(folder, { brotli: true })).listen(port, '127.0.0.1');
}

/** Loads a page with Lighthouse's mobile preset, in a new browser that can reach only this machine. */
async function measure(url: string): Promise<Record<string, number>> {
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      `--remote-debugging-port=${port}`,
    ],
  });
  try {
    const { lhr } = (await lighthouse(url, { port, logLevel: 'silent', onlyCategories: scores }))!;
    if (lhr.runtimeError) throw new Error(`Lighthouse could not measure ${url}: ${lhr.runtimeError.message}`);
    const { audits, categories } = lhr;
    const details = audits['resource-summary']?.details as
      { items: { label: string; transferSize: number }[] } | undefined;
    return Object.fromEntries([
      ...Object.entries(times).map(([name, audit]) => [`${name}, ms`, audits[audit]?.numericValue]),
      ['CLS', audits['cumulative-layout-shift']?.numericValue],
      ...(details?.items ?? [])
        .filter(({ label }) => sizes.includes(label))
        .map(({ label, transferSize }) => [`${label}, KB`, transferSize / 1024]),
      ...Object.values(categories).map(({ title, score }) => [title, 100 * (score ?? 0)]),
    ]) as Record<string, number>;
  } finally {
    await browser.close();
  }
}

function findMedian(figures: number[]): string {
  const median = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;
  return String(Number(median.toPrecision(3)));
}
