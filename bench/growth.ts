import { globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { SiteCopy } from '../tests/build/site-copy.ts';
import { findMedian } from './medians.ts';
import { kilobytes, table } from './report.ts';

const counts = [10, 100, 1_000];
const folders = { faq: 'question', perks: 'title' } as const;

type Folder = keyof typeof folders;

interface Growth {
  folder: Folder;
  count: number;
  /** Seconds of a build that finds nothing of an earlier one. */
  seconds: number;
  /** Bytes of the folder's files. */
  content: number;
  /** Bytes of the landing page, as it is and after brotli. */
  page: number;
  sent: number;
  /** Bytes of every page together. */
  pages: number;
}

/**
 * Builds copies of the site with ever more questions and perks, and puts what that costs into a table. `note` hears
 * what is going on.
 *
 * @throws Error with what the build said when it fails.
 */
export function describeGrowth(rounds: number, conditions: string, note: (line: string) => void): string {
  const measured: Growth[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const folder of Object.keys(folders) as Folder[]) {
      for (const count of counts) {
        note(`round ${round + 1}: ${count} files in ${folder}`);
        measured.push(measureGrowth(folder, count));
      }
    }
  }
  const rows = Object.keys(folders).flatMap((folder) => {
    const grown = counts.map((count) =>
      merge(measured.filter((one) => one.folder === folder && one.count === count)),
    );
    return grown.map((now, index) => {
      const before = grown[index - 1];
      const perFile = (read: (growth: Growth) => number) =>
        before ? Math.round((read(now) - read(before)) / (now.count - before.count)) : '';
      return [
        `\`content/${folder}/\``,
        now.count.toLocaleString('en'),
        now.seconds.toFixed(1),
        ...[now.content, now.page, now.sent, now.pages].map(kilobytes),
        `${perFile(({ seconds }) => seconds * 1_000)}`,
        `${perFile(({ content }) => content)}`,
        `${perFile(({ page }) => page)}`,
        `${perFile(({ sent }) => sent)}`,
      ];
    });
  });
  const head = [
    '',
    'files',
    'build, s',
    'content, KB',
    'landing page, KB',
    'after brotli, KB',
    'all pages, KB',
    'each further file: build, ms',
    'content, bytes',
    'page, bytes',
    'after brotli, bytes',
  ];
  return `${conditions}. Medians; rounds: ${rounds}.\n\n${table(head, rows)}`;
}

/** Bytes are the same in every round; times are not. */
function merge(rounds: Growth[]): Growth {
  return { ...rounds[0]!, seconds: findMedian(rounds.map(({ seconds }) => seconds)) };
}

function measureGrowth(folder: Folder, count: number): Growth {
  const site = new SiteCopy();
  try {
    const words = site.read('content/legal/terms-of-use.mdx').match(/\b[a-z]{3,}\b/g)!;
    const text = new Babble(words);
    for (const file of globSync(`content/${folder}/*.mdx`, { cwd: site.folder }))
      rmSync(join(site.folder, file));
    for (let order = 1; order <= count; order++) {
      const fields = `order: ${order}\n${folders[folder]}: ${text.say(6)}`;
      site.write(`content/${folder}/item-${order}.mdx`, `---\n${fields}\n---\n\n${text.say(25)}.\n`);
    }
    const started = performance.now();
    const { status, output } = site.build();
    const seconds = (performance.now() - started) / 1_000;
    if (status !== 0) throw new Error(`The site could not be built:\n${output.trim()}`);
    const page = readFileSync(join(site.folder, 'dist/index.html'));
    return {
      folder,
      count,
      seconds,
      content: weigh(site, `content/${folder}/*.mdx`),
      page: page.length,
      sent: brotliCompressSync(page).length,
      pages: weigh(site, 'dist/**/*.html'),
    };
  } finally {
    site.remove();
  }
}

function weigh(site: SiteCopy, pattern: string): number {
  return globSync(pattern, { cwd: site.folder }).reduce(
    (sum, file) => sum + statSync(join(site.folder, file)).size,
    0,
  );
}

/** Says the same in every run, but never the same twice: text that repeats itself would compress to nothing. */
class Babble {
  readonly #words: string[];
  #seed = 1;

  constructor(words: string[]) {
    this.#words = words;
  }

  say(count: number): string {
    return Array.from({ length: count }, () => this.#pick()).join(' ');
  }

  #pick(): string {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#words[this.#seed % this.#words.length]!;
  }
}
