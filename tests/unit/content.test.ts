import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeMistakes, findMistakes } from '~/words/mistakes.ts';

const root = resolve(import.meta.dirname, '../..');
const payouts = 'content/faq/payouts.mdx';
const hero = 'content/sections/hero.mdx';
const terms = 'content/legal/terms-of-use.mdx';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-content-'));
  for (const source of ['content', 'public', 'src/pages']) {
    cpSync(join(root, source), join(folder, source), { recursive: true });
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const add = (file: string, text: string) => write(file, `${read(file).trimEnd()}\n\n${text}\n`);
const rename = (file: string, to: string) => renameSync(join(folder, file), join(folder, to));
function edit(file: string, from: string | RegExp, to: string): void {
  const changed = read(file).replace(from, to);
  if (changed === read(file)) throw new Error(`${file} does not hold ${from}`);
  write(file, changed);
}
const list = () =>
  findMistakes(folder).mistakes.map(({ file, line, message }) => `${file}:${line}  ${message}`);

/** A way to break a file, and what is said of it: the place, and some of the words. */
type Break = [name: string, change: () => void, place: string, words: string];

const breaks: Break[] = [
  [
    'a misspelt field',
    () => edit(payouts, 'question:', 'questin:'),
    `${payouts}:3`,
    'Did you mean "question"?',
  ],
  [
    'a field of its own',
    () => edit(payouts, 'order: 4', 'order: 4\ncolour: red'),
    `${payouts}:3`,
    '"colour" is no field',
  ],
  ['a missing field', () => edit(hero, /tagline.*\n/, ''), `${hero}:1`, 'tagline is missing: The line below'],
  ['an empty field', () => edit(hero, /tagline: .*/, "tagline: ''"), `${hero}:3`, 'tagline is empty'],
  ['a field without words', () => edit(hero, /tagline: .*/, 'tagline:'), `${hero}:3`, 'tagline must be text'],
  [
    'a title that is too long',
    () => edit('content/perks/xp-perks.mdx', /title: .*/, `title: ${'XP '.repeat(40)}`),
    'content/perks/xp-perks.mdx:3',
    'title is longer than 60 characters',
  ],
  [
    'a word for a number',
    () => edit(payouts, 'order: 4', 'order: fourth'),
    `${payouts}:2`,
    'order must be a whole number',
  ],
  [
    'a date for words',
    () => edit(hero, /tagline: .*/, 'tagline: 2025-01-01'),
    `${hero}:3`,
    'put it in quotes',
  ],
  [
    'an unknown picture',
    () => edit('content/features/sell.mdx', 'crate', 'crane'),
    'content/features/sell.mdx:4',
    'picture must be one of',
  ],
  [
    'words for a list',
    () => edit('content/sections/creators.mdx', /audience:\n( +- .*\n)+/, 'audience: Modders\n'),
    'content/sections/creators.mdx:4',
    'audience must be a list',
  ],
  [
    'a line of a list that is too long',
    () => edit('content/sections/creators.mdx', '- Coders', `- ${'Coders '.repeat(9)}`),
    'content/sections/creators.mdx:6',
    'audience, line 2, is longer than 40',
  ],
  [
    'a fact in a field that does not exist',
    () => edit('content/sections/waitlist.mdx', '{firstCreators}', '{firstCreator}'),
    'content/sections/waitlist.mdx:2',
    'There is no fact {firstCreator}',
  ],
  [
    'a fact in a text that does not exist',
    () => edit(payouts, '{payoutTime}', '{payTime}'),
    `${payouts}:6`,
    'There is no fact {payTime}',
  ],
  [
    'a sum in curly brackets',
    () => edit(payouts, '{payoutTime}', '{pay time}'),
    `${payouts}:6`,
    'the name of a fact',
  ],
  [
    'a curly bracket that stays open',
    () => edit(payouts, '{payoutTime}', '{payoutTime'),
    `${payouts}:6`,
    'A curly bracket is opened',
  ],
  [
    'an unknown component',
    () => edit(payouts, 'You can', '<Blink>You</Blink> can'),
    `${payouts}:6`,
    '<Blink> is not known here',
  ],
  [
    'a component with attributes',
    () => add(payouts, '<SupportEmail to="x" />'),
    `${payouts}:8`,
    'takes no attributes',
  ],
  [
    'a component that stays open',
    () => add(payouts, 'Ask on <DiscordLink>Discord.'),
    `${payouts}:8`,
    'opened and not closed',
  ],
  ['a sign for less', () => add(payouts, 'Less than <5 days.'), `${payouts}:8`, 'Write &lt; for the sign'],
  ['an import', () => add(payouts, "import x from './x'"), `${payouts}:8`, 'import and export do not belong'],
  [
    'a colon in the words',
    () => edit(hero, 'tagline: Create', 'tagline: Now: create'),
    `${hero}:3`,
    'a second colon',
  ],
  [
    'a quote that stays open',
    () => edit(hero, 'tagline: Create', 'tagline: "Create'),
    `${hero}:3`,
    'A quote is opened',
  ],
  [
    'a tab',
    () => edit('content/sections/creators.mdx', '  - Coders', '\t- Coders'),
    'content/sections/creators.mdx:6',
    'There is a tab',
  ],
  [
    'a field that is there twice',
    () => edit(payouts, 'order: 4', 'order: 4\norder: 4'),
    `${payouts}:3`,
    'The field "order" is there twice',
  ],
  [
    'a line without a field',
    () => edit(hero, /tagline: .*/, 'Create. Drop.'),
    `${hero}:3`,
    'A line without a field',
  ],
  [
    'words that begin with a sign',
    () => edit(hero, 'tagline: Create', 'tagline: @Create'),
    `${hero}:3`,
    'Put them in quotes',
  ],
  [
    'words that begin with a fact',
    () => edit(hero, /tagline: .*/, 'tagline: {app} is here'),
    `${hero}:3`,
    'in quotes',
  ],
  [
    'words behind a #',
    () => edit(hero, 'tagline: Create', 'tagline: We are #1. Create'),
    `${hero}:3`,
    'A # after a space hides',
  ],
  [
    'a bracket that stays open',
    () => edit(payouts, 'order: 4', 'order: [4'),
    `${payouts}:2`,
    'A bracket is opened',
  ],
  [
    'fields that do not end',
    () => write(hero, read(hero).replace(/---\s*$/, '')),
    `${hero}:1`,
    'The fields are missing',
  ],
  ['no fields', () => write(payouts, 'You can.\n'), `${payouts}:1`, 'The fields are missing'],
  [
    'an order that is taken',
    () => edit(payouts, 'order: 4', 'order: 3'),
    `${payouts}:2`,
    'content/faq/ownership.mdx has the same order',
  ],
  [
    'a question that was asked',
    () => edit(payouts, /question: .*/, 'question: who owns what I upload?'),
    `${payouts}:3`,
    'content/faq/ownership.mdx has the same question',
  ],
  [
    'an answer that is missing',
    () => write(payouts, read(payouts).replace(/(---\n[^]*?---\n)[^]*/, '$1')),
    `${payouts}:5`,
    'There is no text below the fields',
  ],
  ['a text that is shown nowhere', () => add(hero, 'Hello'), `${hero}:8`, 'shown nowhere'],
  [
    'a stray file',
    () => write('content/sections/heroes.mdx', read(hero)),
    'content/sections/heroes.mdx:1',
    'Did you mean hero.mdx?',
  ],
  [
    'a picture beside the texts',
    () => write('content/faq/shop.png', ''),
    'content/faq/shop.png:1',
    'shown nowhere',
  ],
  [
    'an unknown folder',
    () => (mkdirSync(join(folder, 'content/news')), write('content/news/first.mdx', 'x')),
    'content/news/first.mdx:1',
    'shown nowhere',
  ],
  [
    'the ending of Markdown',
    () => rename(payouts, 'content/faq/payouts.md'),
    'content/faq/payouts.md:1',
    'Rename it to payouts.mdx',
  ],
  [
    'an ending in capitals',
    () => rename(payouts, 'content/faq/payouts.MDX'),
    'content/faq/payouts.MDX:1',
    'Rename it to payouts.mdx',
  ],
  [
    'a name with a space',
    () => rename(payouts, 'content/faq/pay outs.mdx'),
    'content/faq/pay outs.mdx:1',
    'small letters, digits',
  ],
  [
    'a name in capitals',
    () => write('content/faq/WHY.mdx', '---\norder: 6\nquestion: Why?\n---\n\nBecause.\n'),
    'content/faq/WHY.mdx:1',
    'small letters, digits',
  ],
  ['a file that is gone', () => rmSync(join(folder, hero)), `${hero}:1`, 'The file is missing'],
  [
    'a folder that is empty',
    () => rmSync(join(folder, 'content/perks'), { recursive: true }),
    'content/perks/*.mdx:1',
    'The file is missing',
  ],
  [
    'a dead link',
    () => add(payouts, '[Help](/suport)'),
    `${payouts}:8`,
    'There is no page /suport. Did you mean /support?',
  ],
  [
    'a link to a place that is not there',
    () => add(terms, '[Rights](/privacy-policy#your-right)'),
    `${terms}:65`,
    'Did you mean #your-rights?',
  ],
  [
    'a link within a page to nowhere',
    () => add(terms, '[Up](#your-contnt)'),
    `${terms}:65`,
    'Did you mean #your-content?',
  ],
  [
    'a link that begins nowhere',
    () => add(payouts, '[Help](support)'),
    `${payouts}:8`,
    '"support" is no full address',
  ],
  [
    'a link in the clear',
    () => add(payouts, '[Them](http://elsewhere.example)'),
    `${payouts}:8`,
    'Write https://',
  ],
  [
    'a bare address in the clear',
    () => add(payouts, 'See www.elsewhere.example.'),
    `${payouts}:8`,
    'Write https://',
  ],
  [
    'a link that runs something',
    () => add(payouts, '[Run](javascript:alert)'),
    `${payouts}:8`,
    'has no place here',
  ],
  [
    'a dead link that is named below',
    () => add(payouts, '[Help][1]\n\n[1]: /suport'),
    `${payouts}:10`,
    'There is no page /suport',
  ],
  [
    'a picture without a description',
    () => add(payouts, '![](/icon.svg)'),
    `${payouts}:8`,
    'has no description',
  ],
  [
    'a picture that is not there',
    () => add(payouts, '![A shop](/shop.png)'),
    `${payouts}:8`,
    'There is no picture /shop.png',
  ],
  [
    'a picture of another server',
    () => add(payouts, '![A shop](https://elsewhere.example/shop.png)'),
    `${payouts}:8`,
    'from another server',
  ],
  [
    'a picture of another server, named below',
    () => add(payouts, '![A shop][1]\n\n[1]: https://elsewhere.example/shop.png'),
    `${payouts}:8`,
    'The address of a picture stands at its place',
  ],
];

describe('the content', () => {
  it('has no mistakes', () => {
    expect(list()).toEqual([]);
    expect(findMistakes(folder).count).toBeGreaterThan(40);
  });

  it.each(breaks)('with %s is told so once, with file, line and what to do', (_, change, place, words) => {
    change();
    const said = list().filter((line) => !line.startsWith('content/faq/*'));
    expect(said).toEqual([expect.stringContaining(words)]);
    expect(said[0]).toMatch(new RegExp(`^${RegExp.escape(place)}  `));
  });

  it('with many mistakes is told all of them, file by file and line by line', () => {
    edit(hero, /tagline: .*/, "tagline: ''\ncolour: red");
    edit(hero, /note: .*\n/, '');
    edit(payouts, 'order: 4', 'order: 3');
    add(payouts, '[Help](/suport) {nothing} <Blink />');
    write('content/faq/shop.png', '');
    expect(list().map((line) => line.split('  ')[0])).toEqual([
      `${payouts}:2`,
      ...Array(3).fill(`${payouts}:8`),
      'content/faq/shop.png:1',
      `${hero}:1`,
      `${hero}:3`,
      `${hero}:4`,
    ]);
    expect(describeMistakes(findMistakes(folder).mistakes)).toMatch(/\n\n8 mistakes$/);
  });

  it('may link to pages, places, questions, files and other sites', () => {
    const links = [
      '/',
      '/about',
      '/support/',
      '/#faq',
      '/#question-ownership',
      '/support#support-question-when',
    ];
    const others = [
      '/icon.svg',
      '/terms-of-use#your-content',
      'https://elsewhere.example',
      'mailto:a@b.example',
      '#top',
    ];
    add(payouts, [...links, ...others].map((link) => `[There](${link})`).join('\n'));
    add(payouts, '![The logo](/icon.svg)');
    expect(list()).toEqual([]);
  });
});
