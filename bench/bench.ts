import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { Command, InvalidArgumentError } from 'commander';
import lighthouse from 'lighthouse';
import { ensureBrowser } from '../local/browser.ts';
import { findFreePort } from '../local/settings.ts';
import { astroCommand } from '../local/site-build.ts';
import { writeHandWrittenPage } from './hand-written.ts';
import { serve } from './serve.ts';

const program = new Command('bench')
  .description(
    'Measures the landing page with Lighthouse beside a hand-written page of the same words, and prints the tables of docs/performance.md. Nothing leaves the machine.',
  )
  .option('--rounds <number>', 'how often each page is measured', readCount, 5)
  .showHelpAfterError();
const { rounds } = program.parse().opts<{ rounds: number }>();

const kinds = { page: 'Document', script: 'Script', style: 'Stylesheet', picture: 'Image', font: 'Font' };

const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

/** The result of one Lighthouse run: milliseconds, transferred bytes, scores from 0 to 100. */
interface Result {
  figures: Record<string, number>;
  bytes: Record<string, number>;
  scores: Record<string, number>;
}

const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
try {
  await compare();
} finally {
  rmSync(folder, { recursive: true });
}
// Lighthouse leaves timers running.
process.exit();

async function compare(): Promise<void> {
  const [ours, beside] = [join(folder, 'this-site'), join(folder, 'hand-written')];
  const port = await findFreePort();
  console.log('Building the site');
  build(ours, `http://127.0.0.1:${port}`);
  mkdirSync(beside);
  writeHandWrittenPage(ours, beside);
  const servers = [await serve(ours, port), await serve(beside)];
  const pages = { 'this site': servers[0]!.url, 'hand-written page': servers[1]!.url };
  const results: Record<string, Result[]> = { 'this site': [], 'hand-written page': [] };
  for (let round = 0; round < rounds; round++) {
    // Rounds alternate which page comes first, so that a slow moment of the machine affects both.
    const order = Object.entries(pages);
    for (const [name, url] of round % 2 ? order.toReversed() : order) {
      console.log(`Round ${round + 1} of ${rounds}: ${name}`);
      results[name]!.push(await measure(url));
    }
  }
  for (const { close } of servers) close();
  const month = new Date().toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
  console.log(`\n${month}, ${availableParallelism()} processor cores. Medians of ${rounds} rounds.\n`);
  console.log(describe('Lighthouse, mobile, simulated; ms', results, ({ figures }) => figures));
  console.log(describe('Sent; KB', results, ({ bytes }) => bytes));
  console.log(describe('Scores', results, ({ scores }) => scores));
}

function build(outDir: string, url: string): void {
  const { status, stderr } = spawnSync(process.execPath, [astroCommand, 'build', '--outDir', outDir], {
    encoding: 'utf8',
    env: {
      ...process.env,
      PUBLIC_SITE_URL: url,
      PUBLIC_SUPABASE_URL: url,
      PUBLIC_SUPABASE_ANON_KEY: 'sb_publishable_bench',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
  if (status !== 0) throw new Error(`The site could not be built:\n${stderr}`);
}

/** Runs Lighthouse's mobile preset in a new browser that can reach only this machine. */
async function measure(url: string): Promise<Result> {
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      `--remote-debugging-port=${port}`,
    ],
  });
  try {
    const { lhr } = (await lighthouse(url, { port, logLevel: 'silent', onlyCategories: categories }))!;
    if (lhr.runtimeError) throw new Error(`Lighthouse could not judge ${url}: ${lhr.runtimeError.message}`);
    const value = (audit: string) => lhr.audits[audit]?.numericValue ?? 0;
    const details = lhr.audits['network-requests']?.details as
      { items: { resourceType: string; transferSize: number }[] } | undefined;
    const sent = (types: string[]) =>
      (details?.items ?? [])
        .filter(({ resourceType }) => types.includes(resourceType))
        .reduce((sum, { transferSize }) => sum + transferSize / 1024, 0);
    const bytes = Object.entries(kinds).map(([name, type]) => [name, sent([type])]);
    return {
      figures: {
        'first paint': value('first-contentful-paint'),
        LCP: value('largest-contentful-paint'),
        CLS: value('cumulative-layout-shift'),
        blocked: value('total-blocking-time'),
        'main thread': value('mainthread-work-breakdown'),
      },
      bytes: { ...Object.fromEntries(bytes), all: sent(Object.values(kinds)) },
      scores: Object.fromEntries(
        Object.values(lhr.categories).map(({ title, score }) => [title, 100 * (score ?? 0)]),
      ),
    };
  } finally {
    await browser.close();
  }
}

/** Formats the median of each column as a Markdown table. */
function describe(
  title: string,
  results: Record<string, Result[]>,
  read: (result: Result) => Record<string, number>,
): string {
  const columns = Object.keys(read(Object.values(results)[0]![0]!));
  const rows = Object.entries(results).map(([name, ofPage]) => [
    name,
    ...columns.map((column) => findMedian(ofPage.map((result) => read(result)[column]!))),
  ]);
  const lines = [[title, ...columns], ['---', ...columns.map(() => '--:')], ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function findMedian(figures: number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return String(Number(median.toPrecision(3)));
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('Use a whole number from 1.');
}
