import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import sirv from 'sirv';
import { findFreePort, readSettings } from '../stack/settings.ts';
import { buildSite } from '../stack/site-build.ts';

/** Compares the landing page with the same words written by hand, and prints the table of docs/performance.md. */
const rounds = 5; // odd, so that the median is one of them
const times = {
  'first paint': 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  blocked: 'total-blocking-time',
  'main thread': 'mainthread-work-breakdown',
};

const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
try {
  const port = await findFreePort();
  const settings = readSettings({ DATA_DIR: folder, SITE_PORT: String(port) });
  await buildSite(settings);
  const built = readFileSync(join(settings.siteFolder, 'index.html'), 'utf8');
  writeFileSync(join(settings.siteFolder, 'by-hand.html'), writeByHand(built));
  serve(settings.siteFolder, port);
  const pages = ['/', '/by-hand.html'].map((path) => {
    return { url: settings.siteUrl + path, loads: [] as number[][] };
  });
  for (let round = 1; round <= rounds; round++) {
    // Rounds alternate which page comes first, so that a slow moment of the machine affects both.
    for (const { url, loads } of round % 2 ? pages : pages.toReversed()) loads.push(await measure(url));
    console.error(`${round} of ${rounds} rounds`);
  }
  console.log('| | this site | hand-written page |\n| :- | -: | -: |');
  for (const [index, name] of Object.keys(times).entries())
    console.log(
      `| ${name}, ms | ${pages.map(({ loads }) => findMedian(loads.map((load) => load[index]!))).join(' | ')} |`,
    );
} finally {
  rmSync(folder, { recursive: true });
}
// The servers and Lighthouse would keep the process running.
process.exit();

/** Writes the landing page as somebody would write it by hand: the same words, links and form, no drawing, no font, no script. */
function writeByHand(html: string): string {
  const kept =
    /^(header|main|footer|section|nav|h[1-3]|p|ul|ol|li|strong|a|details|summary|form|label|input|button)$/;
  const attributes = / (id|href|name|method|action|for|type|value|required)(="[^"]*")?(?=[ />]|$)/g;
  const body = html
    .replace(/<(head|script|style|dialog|template|svg)\b[^]*?<\/\1>/g, '')
    .replace(/<!.*?>|<(\/?)([\w-]+)([^>]*)>/gs, (_, slash = '', name = '', rest = '') =>
      kept.test(name) ? `<${slash}${name}${rest.match(attributes)?.join('') ?? ''}>` : '',
    );
  const style = '<style>body{max-width:72rem;margin:auto;font:1rem/1.6 system-ui}</style>';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${style}${body}</html>`;
}

/** Serves a folder on loopback like a static host, compressed once with brotli. */
function serve(site: string, port: number): void {
  for (const file of globSync('**/*.{html,css,js,svg}', { cwd: site })) {
    const path = join(site, file);
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
  createServer(sirv(site, { brotli: true })).listen(port, '127.0.0.1');
}

/** Loads a page with Lighthouse's mobile preset, in a new browser that can reach only this machine. */
async function measure(url: string): Promise<number[]> {
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath: process.env['CHROME_PATH'],
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      `--remote-debugging-port=${port}`,
    ],
  });
  try {
    const { lhr } = (await lighthouse(url, { port, logLevel: 'silent', onlyCategories: ['performance'] }))!;
    return Object.values(times).map((audit) => lhr.audits[audit]!.numericValue!);
  } finally {
    await browser.close();
  }
}

function findMedian(figures: number[]): number {
  const median = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;
  return Number(median.toPrecision(3));
}
