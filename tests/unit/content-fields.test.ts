import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Break, ContentCopy, expectMistake, hero, payouts } from './content-copy.ts';

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

const breaks: Break[] = [
  [
    'a missing field',
    (copy) => copy.edit(hero, /tagline.*\n/, ''),
    `${hero}:1`,
    'tagline is missing: The line below',
  ],
  [
    'an empty field',
    (copy) => copy.edit(hero, /tagline: .*/, "tagline: ''"),
    `${hero}:3`,
    'tagline is empty',
  ],
  [
    'a field without words',
    (copy) => copy.edit(hero, /tagline: .*/, 'tagline:'),
    `${hero}:3`,
    'tagline is empty: The line below',
  ],
  [
    'a list without lines',
    (copy) => copy.edit('content/sections/creators.mdx', /audience:\n( +- .*\n)+/, 'audience:\n'),
    'content/sections/creators.mdx:4',
    'audience is empty',
  ],
  [
    'an order without a number',
    (copy) => copy.edit(payouts, 'order: 904', 'order:'),
    `${payouts}:2`,
    'order is empty',
  ],
  ['a missing order', (copy) => copy.edit(payouts, 'order: 904\n', ''), `${payouts}:1`, 'order is missing'],
  [
    'an order that is no whole number',
    (copy) => copy.edit(payouts, 'order: 904', 'order: 9.5'),
    `${payouts}:2`,
    'order must be a whole number: The place',
  ],
  ['no fields', (copy) => copy.write(payouts, 'You can.\n'), `${payouts}:1`, 'The fields are missing'],
  [
    'a misspelt field',
    (copy) => copy.edit(payouts, 'question:', 'questin:'),
    `${payouts}:3`,
    'Did you mean "question"?',
  ],
  [
    'a field of its own',
    (copy) => copy.edit(payouts, 'order: 904', 'order: 904\ncolour: red'),
    `${payouts}:3`,
    '"colour" is no field',
  ],
  [
    'a title that is too long',
    (copy) => copy.edit('content/perks/xp-perks.mdx', /title: .*/, `title: ${'XP '.repeat(40)}`),
    'content/perks/xp-perks.mdx:3',
    'title is longer than 60 characters (it has 119): What the item',
  ],
  [
    'a word for a number',
    (copy) => copy.edit(payouts, 'order: 904', 'order: fourth'),
    `${payouts}:2`,
    'order must be a whole number',
  ],
  [
    'a date for words',
    (copy) => copy.edit(hero, /tagline: .*/, 'tagline: 2025-01-01'),
    `${hero}:3`,
    'put it in quotes',
  ],
  [
    'an unknown picture',
    (copy) => copy.edit('content/features/sell.mdx', 'crate', 'crane'),
    'content/features/sell.mdx:4',
    'picture must be one of',
  ],
  [
    'words for a list',
    (copy) => copy.edit('content/sections/creators.mdx', /audience:\n( +- .*\n)+/, 'audience: Modders\n'),
    'content/sections/creators.mdx:4',
    'audience must be a list',
  ],
  [
    'a line of a list that is too long',
    (copy) => copy.edit('content/sections/creators.mdx', '- Coders', `- ${'Coders '.repeat(9)}`),
    'content/sections/creators.mdx:6',
    'audience, line 2, is longer than 40',
  ],
  [
    'a fact in a field that does not exist',
    (copy) => copy.edit(hero, /heading: .*/, "heading: '{firstCreator} first'"),
    `${hero}:2`,
    'There is no fact {firstCreator}',
  ],
  [
    'a colon in the words',
    (copy) => copy.edit(hero, 'tagline: Create', 'tagline: Now: create'),
    `${hero}:3`,
    'a second colon',
  ],
  [
    'a quote that stays open',
    (copy) => copy.edit(hero, 'tagline: Create', 'tagline: "Create'),
    `${hero}:3`,
    'A quote is opened',
  ],
  ...[`'When's payday?'`, `'When's pay: day?'`, '"Say "hi" now"'].map((words): Break => [
    `a quote that closes too early, ${words}`,
    (copy) => copy.edit(payouts, /question: .*/, `question: ${words}`),
    `${payouts}:3`,
    'or closed too early. Words with an apostrophe go into "double quotes".',
  ]),
  [
    'a quote that closes too early in a list',
    (copy) => copy.edit('content/sections/creators.mdx', '- Coders', `- 'Coders' friends'`),
    'content/sections/creators.mdx:6',
    'closed too early',
  ],
  [
    'a tab',
    (copy) => copy.edit('content/sections/creators.mdx', '  - Coders', '\t- Coders'),
    'content/sections/creators.mdx:6',
    'There is a tab',
  ],
  [
    'a field that is there twice',
    (copy) => copy.edit(payouts, 'order: 904', 'order: 904\norder: 904'),
    `${payouts}:3`,
    'The field "order" is there twice',
  ],
  [
    'a line without a field',
    (copy) => copy.edit(hero, /tagline: .*/, 'Create. Drop.'),
    `${hero}:3`,
    'A line without a field',
  ],
  [
    'words that begin with a sign',
    (copy) => copy.edit(hero, 'tagline: Create', 'tagline: @Create'),
    `${hero}:3`,
    'Put them in quotes',
  ],
  [
    'words that begin with a fact',
    (copy) => copy.edit(hero, /tagline: .*/, 'tagline: {app} is here'),
    `${hero}:3`,
    'in quotes',
  ],
  [
    'words behind a #',
    (copy) => copy.edit(hero, 'tagline: Create', 'tagline: We are #1. Create'),
    `${hero}:3`,
    'A # after a space hides',
  ],
  [
    'words behind a # in a list',
    (copy) => copy.edit('content/sections/creators.mdx', '- Modders', '- Modders # and more'),
    'content/sections/creators.mdx:5',
    'A # after a space hides',
  ],
  [
    'a bracket that stays open',
    (copy) => copy.edit(payouts, 'order: 904', 'order: [4'),
    `${payouts}:2`,
    'A bracket is opened',
  ],
  [
    'fields that do not end',
    (copy) => copy.write(hero, copy.read(hero).replace(/---\s*$/, '')),
    `${hero}:7`,
    'The second line --- is missing.',
  ],
  [
    'fields that do not end before the text',
    (copy) => copy.edit(payouts, '\n---\n', '\n'),
    `${payouts}:4`,
    'The second line --- is missing.',
  ],
];

describe('the fields of a content file', () => {
  it.each(breaks)('with %s is told so once, with file, line and what to do', (...broken) => {
    expectMistake(copy, broken);
  });
});
