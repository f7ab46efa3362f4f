import { globSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeMistakes, findMistakes } from '~/words/mistakes.ts';
import { type Break, ContentCopy, expectMistake, hero, payouts } from './content-copy.ts';

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

const breaks: Break[] = [
  ['a file that is gone', (copy) => copy.delete(hero), `${hero}:1`, 'The file is missing'],
  [
    'an order that is taken',
    (copy) => copy.edit(payouts, 'order: 904', 'order: 903'),
    `${payouts}:2`,
    'content/faq/ownership.mdx has the same order',
  ],
  [
    'a question that was asked',
    (copy) => copy.edit(payouts, /question: .*/, 'question: what does a TEST own?'),
    `${payouts}:3`,
    'content/faq/ownership.mdx has the same question',
  ],
  [
    'a stray file',
    (copy) => copy.write('content/sections/heroes.mdx', copy.read(hero)),
    'content/sections/heroes.mdx:1',
    'Did you mean hero.mdx?',
  ],
  [
    'a picture beside the texts',
    (copy) => copy.write('content/faq/shop.png', ''),
    'content/faq/shop.png:1',
    'shown nowhere',
  ],
  [
    'an unknown folder',
    (copy) => (mkdirSync(join(copy.folder, 'content/news')), copy.write('content/news/first.mdx', 'x')),
    'content/news/first.mdx:1',
    'shown nowhere',
  ],
  [
    'the ending of Markdown',
    (copy) => copy.rename(payouts, 'content/faq/payouts.md'),
    'content/faq/payouts.md:1',
    'Rename it to payouts.mdx',
  ],
  [
    'an ending in capitals',
    (copy) => copy.rename(payouts, 'content/faq/payouts.MDX'),
    'content/faq/payouts.MDX:1',
    'Rename it to payouts.mdx',
  ],
  [
    'a name with a space',
    (copy) => copy.rename(payouts, 'content/faq/pay outs.mdx'),
    'content/faq/pay outs.mdx:1',
    'small letters, digits',
  ],
  [
    'a name in capitals',
    (copy) =>
      copy.write('content/faq/WHY.mdx', '---\norder: 906\nquestion: Why in capitals?\n---\n\nBecause.\n'),
    'content/faq/WHY.mdx:1',
    'small letters, digits',
  ],
  [
    'a folder that is empty',
    (copy) => copy.delete('content/perks'),
    'content/perks/:1',
    'The folder needs at least one file.',
  ],
];

describe('the content', () => {
  it.each(breaks)('with %s is told so once, with file, line and what to do', (...broken) => {
    expectMistake(copy, broken);
  });

  it('has no mistakes as it is', () => {
    const root = resolve(import.meta.dirname, '../..');
    const { mistakes, count } = findMistakes(root);
    expect(mistakes).toEqual([]);
    expect(count).toBe(globSync('content/*/*.mdx', { cwd: root }).length);
  });

  it('with many mistakes is told all of them, file by file and line by line', () => {
    copy.edit(hero, /tagline: .*/, "tagline: ''\ncolour: red");
    copy.edit(hero, /note: .*\n/, '');
    copy.edit(payouts, 'order: 904', 'order: 903');
    copy.add(payouts, '[Help](/suport) {nothing} <Blink />');
    copy.write('content/faq/shop.png', '');
    expect(copy.findMistakes().map(({ file, line }) => `${file}:${line}`)).toEqual([
      `${payouts}:2`,
      ...Array(3).fill(`${payouts}:8`),
      'content/faq/shop.png:1',
      `${hero}:1`,
      `${hero}:3`,
      `${hero}:4`,
    ]);
    expect(describeMistakes(copy.findMistakes())).toMatch(/\n\n8 mistakes$/);
  });
});
