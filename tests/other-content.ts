import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'astro/zod';
import { type Collection, collections, pathOf } from '../src/content-model/collections.ts';

/** How much an editor writes: as little as the schema allows, or as much. */
export type Amount = 'least' | 'most';

/** A word of forty letters. */
const long = 'Unterstützungsberechtigungsnachweisstelle'.slice(0, 40);

const sample =
  `${long} naïve Łódź Ελληνικά отправления 日本語の文章です مرحبا بالعالم 👩🏽‍🚀🎉 שלום, “quoted” — <3 & more`.split(
    ' ',
  );

let count = 0;

/** Writes different words each time, as long as `length` in characters. `seed` is where in the sample they begin. */
function write(length: number, seed: number): string {
  let words = makeWord();
  for (let index = seed; words.length < length; index += 1) {
    words += `${words && ' '}${sample[index % sample.length]}`;
  }
  // Not in the middle of an emoji.
  return words
    .slice(0, length)
    .replace(/[\ud800-\udbff]$|\u200d$/, '')
    .trim();
}

/** Makes a word that was not used before. */
function makeWord(): string {
  count += 1;
  return `y${count.toString(36)}`;
}

type Rule = { type?: string; isLink?: true; maxLength?: number; enum?: string[]; items?: Rule };

function writeValue({ type, isLink, maxLength = 1, enum: names, items }: Rule, amount: Amount, seed: number) {
  const writeWords = (longest: number, at: number) => (amount === 'most' ? write(longest, at) : makeWord());
  if (names) return names[seed % names.length]!;
  if (isLink) return '/#question-item-1';
  if (type !== 'array') return JSON.stringify(writeWords(maxLength, seed));
  const lines = Array.from({ length: amount === 'most' ? 12 : 1 }, (_, index) => index + seed);
  return lines.map((at) => `\n  - ${JSON.stringify(writeWords(items!.maxLength!, at))}`).join('');
}

/** Writes the fields of a file from the limits of its schema. */
function writeFields({ schema }: Collection, amount: Amount, seed: number, order: number): string {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as {
    properties?: Record<string, Rule>;
  };
  const lines = Object.entries(properties).map(([name, rule], index) => {
    if (name === 'order') return `order: ${order}`;
    if (rule.type === 'boolean') return `${name}: true`;
    return `${name}: ${writeValue(rule, amount, seed + index)}`;
  });
  return `---\n${lines.join('\n')}\n---\n`;
}

/** Writes the text of a file, with everything that it may contain. */
function writeText({ text, anchor }: Collection, amount: Amount, seed: number): string {
  if (!text) return '';
  const { hasHeadings, isEmail, longest = 400, mustName = [] } = text;
  const needed = mustName.join(' ');
  if (amount === 'least') return `\n${isEmail ? '[A](/)' : `A ${needed}`}\n`;
  const count = longest - (isEmail ? 60 : hasHeadings || anchor ? 50 : 20);
  const some = (words: number) =>
    Array.from({ length: words }, (_, index) => sample[(index + seed) % (sample.length - 3)]).join(' ');
  return [
    '',
    `${some(8)} **${long}** *${long}* [${long}](/about) ${needed}`,
    `- ${long}\n- ${long}`,
    ...(isEmail ? [`[${long.slice(0, 30)}](/support)`] : []),
    ...(longest > 100 && !isEmail
      ? [
          `![${long}](/other.svg)`,
          `| ${long} | b |\n| --- | --- |\n| c | ${long} |`,
          `\`${long}${long}\`, https://elsewhere.example/${long}${long}`,
          '> Quoted.',
        ]
      : []),
    ...(hasHeadings && longest > 100 ? [`## ${long} ${some(4)}`, ...(isEmail ? [] : [`### ${long}`])] : []),
    some(Math.max(count - 30, 5)),
    '',
  ].join('\n\n');
}

/**
 * Replaces the content of a project with words that no editor wrote: as few items and
 * letters as possible, or twelve items and everything as long as the schema allows.
 */
export function writeOtherContent(root: string, amount: Amount): void {
  count = 0;
  rmSync(join(root, 'content'), { recursive: true, force: true });
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="900"/>';
  writeFileSync(join(root, 'public/other.svg'), picture);
  for (const [index, collection] of Object.values<Collection>(collections).entries()) {
    const least = collection.fewest || 1;
    const count = collection.name === undefined && amount === 'most' ? 12 : least;
    for (let order = 1; order <= count; order += 1) {
      const file = join(root, pathOf({ ...collection, name: collection.name ?? `item-${order}` }));
      const seed = index + order;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, writeFields(collection, amount, seed, order) + writeText(collection, amount, seed));
    }
  }
}
