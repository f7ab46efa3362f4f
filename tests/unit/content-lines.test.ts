import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collections } from '~/content-check/collections.ts';
import { readFields } from '~/content-check/read-source.ts';
import { ContentCopy, hero, payouts, terms } from './content-copy.ts';

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

const creators = 'content/sections/creators.mdx';
const sell = 'content/features/sell.mdx';
const list = /audience:\n( +- .*\n)+/;

const lines: [mistake: string, file: string, from: string | RegExp, to: string, said: string][] = [
  // The lines around the fields.
  ['an empty file', payouts, /^[^]*$/, '', ':1  The first line must be three hyphens: ---.'],
  ['words above the fields', payouts, '---', 'Hello\n---', ':1  The first line must be three hyphens'],
  ['a dash above the fields', payouts, '---', '—', ':1  The first line must be three hyphens'],
  ['a dash below the fields', payouts, '\n---\n', '\n—\n', ':4  The line below the fields must be three'],
  ['four hyphens below them', payouts, '\n---\n', '\n----\n', ':4  The line below the fields must be three'],
  ['no line below the fields', payouts, '\n---\n', '\n', ':4  The line below the fields must be three'],
  // Lines that are not fields.
  ['an equals sign', payouts, 'question: ', 'question = ', ':3  This line is not a field. A field is a name'],
  ['words alone', hero, /tagline: .*/, 'Create. Drop.', ':3  This line is not a field. A field is a name'],
  [
    'words below a field',
    payouts,
    /question: .*/,
    'question:\n  When?',
    ':4  This line does not belong to a field.',
  ],
  [
    'words in two lines',
    hero,
    'tagline:',
    '  and more\ntagline:',
    ':3  This line does not belong to a field.',
  ],
  ['no space after the colon', payouts, 'question: ', 'question:', ':3  Put a plain space after the colon.'],
  ['another space there', payouts, 'question: ', 'question:\u00A0', ':3  Put a plain space after the colon.'],
  [
    'spaces before a field',
    hero,
    'tagline:',
    '  tagline:',
    ':3  The name of a field must begin at the left edge.',
  ],
  [
    'a hyphen before a field',
    hero,
    'tagline:',
    '- tagline:',
    ':3  The name of a field must begin at the left edge',
  ],
  [
    'a tab before a field',
    hero,
    'tagline:',
    '\ttagline:',
    ':3  There is a tab at the beginning of the line.',
  ],
  [
    'a control character',
    payouts,
    'What',
    '\u0007',
    ':3  This line has a character that browsers cannot show',
  ],
  [
    'a bullet from Word',
    payouts,
    'What',
    '\uF0B7 What',
    ':3  This line has a character that browsers cannot show',
  ],
  // Unknown, missing and repeated fields.
  [
    'no tagline',
    hero,
    /tagline.*\n/,
    '',
    ':1  tagline is missing between the two lines ---. What belongs there',
  ],
  [
    'a field below',
    payouts,
    /(question: .*)\n---/,
    '---\n\n$1',
    ':1  question is missing between the two lines',
  ],
  [
    'a misspelled field',
    payouts,
    'question:',
    'questin:',
    ':3  Unknown field "questin". Did you mean question?',
  ],
  ['capitals', payouts, 'question:', 'Question:', ':3  Unknown field "Question". Did you mean question?'],
  ['a new field', payouts, 'order:', 'color: red\norder:', '"color". The fields of this file are: order, qu'],
  [
    'a field twice',
    payouts,
    'order:',
    'order: 8\norder:',
    ':3  The field "order" appears twice. Remove one.',
  ],
  // Values.
  [
    'an empty order',
    payouts,
    '904',
    '',
    ':2  order is empty. What belongs there: The position among the files',
  ],
  [
    'an order in words',
    payouts,
    '904',
    'fourth',
    ':2  order must be a whole number, such as 3, without quotes',
  ],
  [
    'an order in quotes',
    payouts,
    '904',
    '"4"',
    ':2  order must be a whole number, such as 3, without quotes',
  ],
  ['half an order', payouts, '904', '9.5', ':2  order must be a whole number'],
  ['a large order', payouts, '904', '9'.repeat(20), ':2  order is too large.'],
  ['an order below 1', payouts, '904', '-1', ':2  order must be 1 or more.'],
  ['an order that is taken', payouts, '904', '903', ':2  content/faq/ownership.mdx has the same order.'],
  [
    'a repeated question',
    payouts,
    /question: .*/,
    'question: what does a TEST own?',
    ':3  content/faq/ownership',
  ],
  ['an unknown picture', sell, 'crate', 'crane', ':4  picture must be one of crate'],
  [
    'a date without a month',
    terms,
    /updated: .*/,
    'updated: 2025-01-14, I think',
    'updated must contain a real date, such as January',
  ],
  [
    'a misspelled month',
    terms,
    /updated: .*/,
    'updated: Febuary 2025',
    ':4  updated must contain a real date',
  ],
  ...['31 June 2025', 'June 31, 2025', '0 June 2025', '29 February 2025', 'June'].map(
    (date): (typeof lines)[number] => [
      `the date ${date}`,
      ...([terms, /updated: .*/, `updated: Last updated ${date}`] as const),
      ':4  updated must contain a real date, such as January 2025 or 14 January 2025.',
    ],
  ),
  ['an empty date', terms, /updated: .*/, "updated: ''", ':4  updated is empty.'],
  // Lists.
  [
    'a list below words',
    hero,
    'note:',
    '  - and more\nnote:',
    ':4  Begin every line of a list with two spaces, a hyphen and a space.',
  ],
  ['a list without lines', creators, list, 'audience:\n', ':4  audience is empty'],
  [
    'words for a list',
    creators,
    list,
    'audience: Modders\n',
    ':4  audience must be a list: one line for each',
  ],
  [
    'a long line',
    creators,
    '- Coders',
    `- ${'Code '.repeat(9)}`,
    ':6  audience, line 2 is longer than 40 char',
  ],
  ...['  -Coders', ' - Coders', '    - Coders', '- Coders', '  * Coders', '  • Coders', '  Coders'].map(
    (typed): [string, string, string, string, string] => [
      `the line "${typed}" in a list`,
      ...([creators, '  - Coders', typed] as const),
      'Begin every line of a list with two spaces, a hyphen and a space.',
    ],
  ),
  [
    'a tab in a list',
    creators,
    '  - Coders',
    '\t- Coders',
    ':6  There is a tab at the beginning of the line',
  ],
  [
    'a colon in a list',
    creators,
    '- Coders',
    '- Coders: all',
    ':6  There is a second colon in the line. Put',
  ],
  [
    'formatting in a list',
    creators,
    '- Coders',
    '- The **Coders**',
    ':6  Visitors would see **Coders** as typed',
  ],
];

describe('a mistake in a line of fields is reported once, with its place and what to do:', () => {
  it.each(lines)('%s', (_, file, from, to, said) => {
    copy.edit(file, from, to);
    const found = copy.findMistakes().map(({ file, line, message }) => `${file}:${line}  ${message}`);
    expect(found).toEqual([expect.stringContaining(said)]);
    expect(found[0]).toMatch(file);
  });
});

it('a line of a list that cannot be read keeps the places of the lines below it', () => {
  copy.edit(creators, list, `audience:\n  - Modders: all\n  - Coders\n  - ${'Mission '.repeat(9)}\n`);
  expect(copy.findMistakes().map(({ line, message }) => `${line}  ${message}`)).toEqual([
    expect.stringMatching(/^5 {2}There is a second colon/),
    expect.stringMatching(/^7 {2}audience, line 3 is longer/),
  ]);
});

it('code that reads the fields of a file gets an error when a line cannot be read', () => {
  expect(readFields(copy.folder, hero, collections.hero).tagline).toEqual(expect.any(String));
  copy.edit(hero, 'tagline:', 'Create. Drop.\ntagline:');
  expect(() => readFields(copy.folder, hero, collections.hero)).toThrow(
    `${hero} has mistakes. "npm run check:content" lists them.`,
  );
});
