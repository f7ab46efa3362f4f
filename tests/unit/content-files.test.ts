import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOf } from '~/content-check/check-names.ts';
import { type Collection, collections } from '~/content-check/collections.ts';
import { findMistakes } from '~/content-check/mistakes.ts';
import { site } from '~/site.ts';
import { type ContentChange, ContentCopy, hero, payouts, privacy, terms } from './content-copy.ts';

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

const find = () => copy.findMistakes().map(({ file, line, message }) => `${file}:${line}  ${message}`);
const sell = 'content/features/sell.mdx';
const xpPerks = 'content/perks/xp-perks.mdx';
const about = 'content/pages/about.mdx';

const mistakes: [mistake: string, change: ContentChange, said: string][] = [
  // Names.
  ['a missing file', (copy) => copy.delete(hero), `${hero}:1  The page needs this file, but it is missing`],
  [
    'an empty folder',
    (copy) => copy.delete('content/perks'),
    'content/perks/:1  The folder needs at least one',
  ],
  ...[
    [
      'payouts.mdx.txt',
      'No page shows a file with this name. Did you mean payouts.mdx? Use lowercase letters, digits and hyphens, and end the name with .mdx.',
    ],
    ['payouts.md', 'No page shows a file with this name. Did you mean payouts.mdx?'],
    ['payouts.MDX', 'No page shows a file with this name. Did you mean payouts.mdx?'],
    ['payouts.txt', 'No page shows a file with this name. Did you mean payouts.mdx?'],
    ['payouts', 'No page shows a file with this name. Did you mean payouts.mdx?'],
    ['pay.outs.mdx', 'No page shows a file with this name. Did you mean pay-outs.mdx?'],
    ['Pay Outs (1).mdx', 'No page shows a file with this name. Did you mean pay-outs-1.mdx?'],
    ['Réponse.mdx', 'No page shows a file with this name. Did you mean reponse.mdx?'],
    ['выплаты.mdx', 'No page shows a file with this name. Did you mean my-words.mdx?'],
    ['payouts.docx', 'Save the words as plain text, under the name payouts.mdx.'],
    ['shop.png', 'Pictures belong in public/. Move it there.'],
    ['IMG_1.JPG', 'Pictures belong in public/. Move it there.'],
    ['Thumbs.db', 'No page shows this file. Remove it'],
  ].map(([name, said]): (typeof mistakes)[number] => [
    `the name ${name}`,
    (copy) => copy.rename(payouts, `content/faq/${name}`),
    `content/faq/${name}:1  ${said}`,
  ]),
  [
    'the name of a section in capitals',
    (copy) => copy.rename(hero, 'content/sections/Hero.mdx'),
    'content/sections/Hero.mdx:1  No page shows a file with this name. Did you mean hero.mdx?',
  ],
  [
    'a legal text that no page shows',
    (copy) => copy.write('content/legal/cookies.mdx', copy.read(terms)),
    'content/legal/cookies.mdx:1  No page shows this file. Remove it, or move its words into a file that a page shows.',
  ],
  // Folders.
  ...['content/sections/payouts.mdx', 'content/payouts.mdx', 'content/perks/payouts.mdx'].map(
    (file): (typeof mistakes)[number] => [
      `a question at ${file}`,
      (copy) => copy.rename(payouts, file),
      `${file}:1  This looks like a question: move it to content/faq/ or content/support-faq/.`,
    ],
  ),
  [
    'a feature among the perks',
    (copy) => copy.rename(sell, 'content/perks/sell.mdx'),
    'This looks like a feature: move it to content/features/. If it belongs here, its fields are: order, title.',
  ],
  [
    'a misspelled folder',
    (copy) => copy.write('content/fqa/first.mdx', 'x'),
    'content/fqa/:1  No page shows this folder. Did you mean content/faq/?',
  ],
  [
    'a folder in capitals',
    (copy) => copy.rename('content/sections', 'content/Sections'),
    'content/Sections/:1  No page shows this folder. Did you mean content/sections/?',
  ],
  [
    'a folder inside a folder',
    (copy) => ['a', 'b'].forEach((name) => copy.write(`content/faq/old/${name}.mdx`, copy.read(payouts))),
    'content/faq/old/:1  No page shows this folder. Did you mean content/faq/?',
  ],
  // Encodings.
  [
    'Latin-1',
    (copy) => copy.write(payouts, Buffer.from(copy.read(payouts).replace('can', 'für'), 'latin1')),
    `${payouts}:6  A letter in this line was lost: visitors would see �. Type it again, and save the file as UTF-8.`,
  ],
  [
    'UTF-16',
    (copy) => copy.write(payouts, Buffer.from(`\uFEFF${copy.read(payouts)}`, 'utf16le')),
    `${payouts}:1  The file is saved as UTF-16, which the site cannot read. Save the file as UTF-8.`,
  ],
  [
    'UTF-8 that was taken for Latin-1',
    (copy) => copy.edit(payouts, 'can', 'fÃ¼r'),
    `${payouts}:6  Visitors would see strange letters`,
  ],
  [
    'a sign in UTF-8 that was taken for Latin-1',
    (copy) => copy.edit(payouts, 'can', 'Â£5'),
    `${payouts}:6  Visitors would see strange letters`,
  ],
  [
    'a quote in UTF-8 that was taken for Windows-1252',
    (copy) => copy.edit(payouts, 'can', 'canâ€™t'),
    `${payouts}:6  Visitors would see strange letters`,
  ],
  [
    'an emoji in UTF-8 that was taken for Windows-1252',
    (copy) => copy.edit(payouts, 'can', 'ðŸŽ‰ can'),
    `${payouts}:6  Visitors would see strange letters`,
  ],
  [
    'two versions of a line',
    (copy) => copy.edit(payouts, 'order: 904', '<<<<<<< HEAD\norder: 904\n=======\norder: 6\n>>>>>>> other'),
    `${payouts}:2  Two people changed this place. Keep one of the two versions`,
  ],
  [
    'the end of two versions',
    (copy) => copy.edit(payouts, 'order: 904', 'order: 904\n>>>>>>> other'),
    `${payouts}:3  Two people changed this place.`,
  ],
  // Whole texts.
  [
    'a text that no page shows',
    (copy) => copy.add(hero, 'Hello'),
    `${hero}:10  No page shows text from this file. Remove everything below the fields.`,
  ],
  [
    'no text',
    (copy) => copy.setText(payouts, ''),
    `${payouts}:7  There is no text below the fields. Add it.`,
  ],
  [
    'an answer that is too long',
    (copy) => copy.setText(payouts, 'Words '.repeat(301)),
    `${payouts}:6  The text has 301 words, but only 300 fit here. Shorten it.`,
  ],
  [
    'a perk that is too long',
    (copy) => copy.setText(xpPerks, 'Words '.repeat(61)),
    'has 61 words, but only 60 fit',
  ],
  [
    'a lede that is too long',
    (copy) => copy.setText('content/sections/waitlist.mdx', 'Words '.repeat(61)),
    'has 61 words, but only 60 fit',
  ],
  ['a second title', (copy) => copy.setText(about, '# When'), `${about}:10  The page already has a title.`],
  ['a heading without words', (copy) => copy.setText(about, '##'), `${about}:10  The heading has no words.`],
  [
    'a line of hyphens below a text',
    (copy) => copy.setText(about, 'That is all\n---\n\nMore.'),
    `${about}:10  The line below "That is all" makes a heading of it. Put an empty line between them`,
  ],
  [
    'a heading that skips a level',
    (copy) => copy.setText(about, '## When\n\n#### At night'),
    `${about}:12  The heading skips a level. Begin it with ###.`,
  ],
];

describe('a mistake that concerns a whole file is reported once, with its place and what to do:', () => {
  it.each(mistakes)('%s', (_, change, said) => {
    change(copy);
    expect(find()).toEqual([expect.stringContaining(said)]);
  });
});

it('a link that leads nowhere is found in the texts of every folder', () => {
  const places = Object.values<Collection>(collections).filter(({ text }) => text);
  const texts = places.flatMap((place) => globSync(placeOf(place), { cwd: copy.folder }).sort()[0] ?? []);
  expect(texts).toEqual(expect.arrayContaining([terms, privacy, about]));
  for (const file of texts) copy.add(file, 'See [Help](/nowhere).');
  const found = copy.findMistakes();
  expect(found.map(({ file }) => file).toSorted()).toEqual(texts.toSorted());
  for (const { message } of found) expect(message).toMatch(/^There is no page \/nowhere/);
});

it.each([
  [
    'terms-of-use',
    ['{minimumAge}', '{freeShare}', '{premiumShare}', '{payoutTime}', '{deletionTime}'].concat(
      ...['ZIP', 'MP4', 'PNG', 'PDF', '{independenceNotice}', '<SupportEmail />'],
    ),
  ],
  [
    'privacy-policy',
    ['<PostalAddress />', '{minimumAge}', '{deletionTime}', '<SupportEmail />', 'Supabase', 'Resend'],
  ],
])('%s may say anything that includes what the law and the product require', (name, demands) => {
  const file = `content/legal/${name}.mdx`;
  copy.setText(file, 'Anything.');
  const said = copy.findMistakes().filter((mistake) => mistake.file === file);
  expect(said.map(({ message }) => message)).toEqual(
    demands.map((demand) => `The text must mention ${demand}. Add it.`),
  );
  copy.setText(file, `Anything with ${demands.join(', ')}.`);
  expect(copy.findMistakes().filter((mistake) => mistake.file === file)).toEqual([]);
});

describe('the content', () => {
  it('has no mistakes, and every file belongs to a collection', () => {
    const root = resolve(import.meta.dirname, '../..');
    expect(findMistakes(root)).toEqual([]);
    const read = Object.values<Collection>(collections).flatMap((place) =>
      globSync(placeOf(place), { cwd: root }),
    );
    expect(read.toSorted()).toEqual(globSync('content/**/*.mdx', { cwd: root }).toSorted());
  });

  it('may have Windows line endings, a byte order mark, comments, hidden files and headings of several levels', () => {
    copy.edit(about, '---\n', '--- \n');
    copy.write('content/faq/.DS_Store', '');
    copy.edit(hero, 'tagline:', `\n# Below the headline of ${site.name}:\ntagline:`);
    copy.write(payouts, `\uFEFF${copy.read(payouts).replaceAll('\n', '\r\n')}`);
    copy.add(about, '## When\n\n### By day\n\n### By night\n\n## How');
    expect(copy.findMistakes()).toEqual([]);
  });

  it('may be as long as the messages say', () => {
    copy.setText(payouts, 'Words '.repeat(300));
    copy.edit(payouts, /question: .*/, `question: ${'x'.repeat(120)}`);
    copy.setText(xpPerks, 'Words '.repeat(60));
    expect(copy.findMistakes()).toEqual([]);
  });

  it('is checked as far as it can be read', () => {
    copy.edit(hero, /tagline: .*/, 'tagline: Now: create\naccent: red');
    copy.edit(hero, /note: .*/, `note: ${'Come early. '.repeat(20)}`);
    expect(find().map((mistake) => mistake.replace(/(:\d+ .{24}).*/, '$1'))).toEqual([
      `${hero}:3  There is a second colon`,
      `${hero}:4  Unknown field "accent".`,
      `${hero}:5  note is longer than 120`,
    ]);
  });

  it('is checked completely, with mistakes sorted by file and line', () => {
    copy.edit(hero, /tagline: .*/, "tagline: ''\naccent: red");
    copy.edit(hero, /note: .*\n/, '');
    copy.edit(hero, /scroll: .*\n/, '');
    copy.edit(payouts, 'order: 904', 'order: 903');
    copy.add(payouts, '[Help](/suport) {nothing} <Blink />\n\n[Help](/suport)');
    expect(copy.findMistakes().map(({ file, line }) => `${file}:${line}`)).toEqual([
      ...[`${payouts}:2`, `${payouts}:8`, `${payouts}:8`, `${payouts}:8`, `${payouts}:10`],
      ...[`${hero}:1`, `${hero}:1`, `${hero}:3`, `${hero}:4`],
    ]);
  });
});
