import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { findMedian } from './medians.ts';
import { type Name, pagePaths, type Result, type Round } from './rounds.ts';

const file = resolve(import.meta.dirname, '../docs/performance.md');

const labels: Record<Name, string> = {
  thisSite: 'this site',
  handWritten: 'hand-written page',
  singlePage: 'single-page application',
};
const names = Object.keys(labels) as Name[];

/**
 * Writes a text between the two markers of its name in docs/performance.md. What stands around them stays.
 *
 * @throws Error that names the markers when they are not there.
 */
export async function writeReport(name: string, text: string): Promise<void> {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest = ''] = readFileSync(file, 'utf8').split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`docs/performance.md lacks ${begin} or ${end}. Put them back.`);
  const written = `${before}${begin}\n\n${text}\n\n${end}${after}`;
  writeFileSync(file, await format(written, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

/** Puts the medians of some rounds into tables. `conditions` says when and with what they were measured. */
export function describeRounds(rounds: Round[], conditions: string): string {
  const across = (name: Name, read: (result: Result) => number | undefined) =>
    findMedian(rounds.map(({ contenders }) => read(contenders[name])));
  const rows = (...reads: [(result: Result) => number | undefined, (figure: number) => string][]) =>
    names.map((name) => [labels[name], ...reads.map(([read, print]) => print(across(name, read)))]);
  const ratio = (read: (result: Result) => number) =>
    findMedian(
      rounds.map(({ contenders }) => read(contenders.thisSite) / read(contenders.handWritten)),
    ).toFixed(2);
  const lost = (name: Name) => rounds.reduce((sum, { contenders }) => sum + contenders[name].signUp.lost, 0);

  return [
    `${conditions}. Medians; rounds: ${rounds.length}.`,
    '### Bytes, in KB as sent',
    table(
      ['', 'page', 'script', 'style', 'picture', 'font', 'all', 'script after a sign-up', 'all after it'],
      rows(
        [({ load }) => load.bytes.page, kilobytes],
        [({ load }) => load.bytes.script, kilobytes],
        [({ load }) => load.bytes.style, kilobytes],
        [({ load }) => load.bytes.picture, kilobytes],
        [({ load }) => load.bytes.font, kilobytes],
        [({ load }) => sum(load.bytes), kilobytes],
        [({ signUp }) => signUp.bytes.script, kilobytes],
        [({ signUp }) => sum(signUp.bytes), kilobytes],
      ),
    ),
    `Inside this site's page: ${kilobytes(across('thisSite', ({ load }) => load.inlineScript))} KB of script and ` +
      `${kilobytes(across('thisSite', ({ load }) => load.inlineStyle))} KB of style.`,
    '### Opened on slow 4G with a 4× slower processor, in ms',
    table(
      ['', 'first paint', 'LCP', 'CLS', 'blocked', 'main thread'],
      rows(
        [({ load }) => load.firstPaint, milliseconds],
        [({ load }) => load.largestPaint, milliseconds],
        [({ load }) => load.layoutShift, shift],
        [({ load }) => load.blocked, milliseconds],
        [({ load }) => load.mainThread, milliseconds],
      ),
    ),
    '### Signed up there, in ms',
    table(
      ['', 'address sent after', 'confirmed after', 'lost submits'],
      rows(
        [({ signUp }) => signUp.handled, milliseconds],
        [({ signUp }) => signUp.confirmed, milliseconds],
      ).map((row, index) => [...row, `${lost(names[index]!)} of ${rounds.length}`]),
    ),
    '### Lighthouse, mobile, simulated',
    table(
      ['', 'performance', 'LCP', 'TBT', 'CLS', 'main thread'],
      rows(
        [({ scores }) => scores.performance, milliseconds],
        [({ scores }) => scores.largestPaint, milliseconds],
        [({ scores }) => scores.blocked, milliseconds],
        [({ scores }) => scores.layoutShift, shift],
        [({ scores }) => scores.mainThread, milliseconds],
      ),
    ),
    '### This site against the hand-written page, within each round',
    table(
      ['LCP on slow 4G', 'LCP simulated', 'main thread on slow 4G', 'main thread simulated'],
      [
        [
          ratio(({ load }) => load.largestPaint),
          ratio(({ scores }) => scores.largestPaint),
          ratio(({ load }) => load.mainThread),
          ratio(({ scores }) => scores.mainThread),
        ].map((figure) => `${figure}×`),
      ],
    ),
    "### Lighthouse's scores of every page of this site",
    table(
      ['', 'performance', 'accessibility', 'best practices', 'SEO'],
      pagePaths.map((path) => [
        `\`${path}\``,
        ...(['performance', 'accessibility', 'bestPractices', 'seo'] as const).map((score) =>
          String(findMedian(rounds.map(({ pages }) => pages[path][score]))),
        ),
      ]),
    ),
  ].join('\n\n');
}

/** A Markdown table: words to the left, figures to the right. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((name) => (name ? '--:' : ':--'))), ...rows.map(line)].join('\n');
}

/** Bytes as kilobytes of 1,024. */
export function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

function milliseconds(figure: number): string {
  return Number.isNaN(figure) ? 'never' : String(Math.round(figure));
}

function shift(figure: number): string {
  return figure.toFixed(3);
}

function sum(bytes: object): number {
  return Object.values(bytes).reduce((total: number, part: number) => total + part, 0);
}
