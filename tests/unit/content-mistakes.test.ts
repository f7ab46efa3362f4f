import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkTyped, ContentCopy } from './content-copy.ts';

const payouts = 'content/faq/payouts.mdx';
const hero = 'content/sections/hero.mdx';
const creators = 'content/sections/creators.mdx';
const terms = 'content/legal/terms-of-use.mdx';
const article = 'content/pages/unsubscribe.mdx';
const message = 'content/announcements/item-1.mdx';

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

/** What an editor types, and what the one message about it says. */
type Case = [typed: string, said: string];

const questions: Case[] = [
  ["'When's payday?'", 'The quotation marks do not fit.'],
  ['"When \\& how?"', 'The quotation marks do not fit.'],
  ['Now: when?', 'The : has a special meaning there. Put all words in straight quotes: question: "…".'],
  ['@Creators, when?', 'The @ has a special meaning there.'],
  ['We are #1. # yes', 'The # has a special meaning there.'],
  ['# yes', 'The # has a special meaning there.'],
  ['', 'question is empty. What belongs there: '],
  ["' '", 'question is empty'],
  ['42', 'question must be words: put them in "double quotes"'],
  ['What '.repeat(40), 'characters (it has 199). What belongs there: '],
  ['When **do** I get it?', 'Visitors would see **do** as typed. A field is plain words.'],
  ['When<br>do I?', 'Visitors would see <br> as typed.'],
  ['Scripts &amp; mods?', 'Visitors would see &amp; as typed.'],
  ['Ask <SupportEmail />?', '<SupportEmail /> works in texts only.'],
  ['When does {payouttime} end?', 'Visitors would see {payouttime} as typed. Did you mean {payoutTime}?'],
  ['Is it {constructor}?', 'Visitors would see {constructor} as typed. The facts are {app}, '],
  ['Is it {{app}}?', 'Did you mean {app}?'],
  ['Is it {app now?', 'Did you mean {app}?'],
];

const answers: Case[] = [
  // Facts, components and tags.
  ['Within {payTime}.', 'Visitors would see {payTime} as typed. Did you mean {payoutTime}?'],
  ['Ask <SupportEmial />.', 'Did you mean <SupportEmail />?'],
  ['Ask <DiscordLink href="x">us</DiscordLink>.', 'Did you mean <DiscordLink>words</DiscordLink>?'],
  ['It is <Blink>bold</Blink>.', 'Visitors would see </Blink> as typed. Remove it.'],
  ['It is <b>bold</b>.', 'Visitors would see <b> as typed. Remove it. Write **bold**'],
  ['<script>alert(1)</script>', 'To show it, put it in `backticks`.'],
  // Links.
  ['See [here](/support', 'A link is [words](/address)'],
  ['![A yard](/my yard.png)', 'a picture ![what it shows](/file.jpg), without spaces in it'],
  ['![][image1]', 'Visitors would see ![][image1] as typed. A link is [words](/address) and a picture'],
  ['[Help][1]\n\n[1]: /support', 'Write an address beside its words'],
  ['[<SupportEmail />](/support)', 'A link cannot contain another link or a contact.'],
  ['[](/support)', 'A link has no words.'],
  ['[Help]()', 'The link has no address. Write [words](/address).'],
  ['[Help](/suport)', 'There is no page /suport. Did you mean /support?'],
  ['[Help](../about.mdx)', 'Did you mean /about?'],
  ['[Help](/faq)', 'There is no page /faq. Did you mean /#faq?'],
  ['See www.elsewhere.example.', 'An address begins with https://, mailto: or tel:, or is one of /'],
  ['[Run](javascript:alert)', 'There is no page javascript:alert.'],
  ['[There](/#a-known-headin)', 'The page / has no section #a-known-headin. Did you mean #a-known-heading?'],
  ['[Them](http://elsewhere.example)', 'is not encrypted. Write https:// instead of http://.'],
  ['[Help](http://localhost:4321/about)', 'works on your machine only. Write /about.'],
  ['[Help](https://www.google.com/url?q=https://x.example)', 'The link leads through Google.'],
  // Pictures.
  ['![](/icon.svg)', 'The picture has no description'],
  ['![IMG_1234](/icon.svg)', 'The picture has no description'],
  ['![A shop](/shop.png)', 'There is no picture /shop.png. Put it into public/'],
  ['![Our sign](icon.svg)', 'Did you mean /icon.svg?'],
  ['![A shop](https://elsewhere.example/shop.png)', 'A picture from another server would tell'],
  // What Markdown would make of it.
  ['```\nnot code', 'Visitors would see this as code. Remove the backticks ```.'],
  ['---', 'A line across the text does not fit here. Remove it.'],
  ['Soon.[^1]\n\n[^1]: Or later.', 'A footnote does not fit here. Write its words into the text.'],
  ['- [ ] Mods', 'Visitors would see a checkbox. Remove [ ] or [x].'],
  ['- \n- Mods', 'This list item has no words.'],
  ['## When', '"When" is a heading, and this text is too short for one. Make it **bold** instead'],
  ['Words '.repeat(600), 'The text has 600 words, but only'],
  ['When\n---', 'The line below "When" makes a heading of it.'],
];

const announcements: Case[] = [
  ['[Read more](/about)', 'A link that is alone in its paragraph is a button, and line 6 already has one.'],
  ['![A yard](/icon.svg)', 'An email cannot have pictures, because many mail programs hide them.'],
  ['| A | B |\n| --- | --- |\n| 1 | 2 |', 'An email cannot have tables'],
  ['> Words.', 'An email cannot have quotes.'],
  ['The `file` here.', 'An email cannot show code.'],
  ['The ~~old~~ words.', 'An email cannot have crossed-out words.'],
  ['## News\n\n### More', 'This heading must begin with ## and a space.'],
  ['## News\n\nRead [more](#news) here.', 'The page / has no section #news.'],
  ['Dear *|FNAME|*.', 'so a message cannot contain a name. Remove it.'],
  ['Dear {{ first_name }}.', 'so a message cannot contain a name. Remove it.'],
  ['Words '.repeat(500), 'The text has 502 words, but only 500 fit here. Shorten it.'],
];

describe.each([
  ['question', questions],
  ['answer', answers],
  ['announcement', announcements],
] as const)('a mistake in a new %s is reported once, with what to do:', async (place, cases) => {
  it.each(await checkTyped(place, cases))('%s', (_, said, { mistakes }) =>
    expect(mistakes).toEqual([expect.stringContaining(said)]),
  );
});

const notField = 'This line is not a field. A field begins at the left edge';
const list = /audience:\n( +- .*\n)+/;
const words = /\n\n[^]*$/;

/** How an editor changes a file: a part of it, what replaces it, and the line and the message. */
const edits: [file: string, from: string | RegExp, to: string, said: string][] = [
  // The lines around the fields, and lines that are not fields.
  [payouts, /^[^]*$/, '', ':1  The lines above and below the fields must be ---.'],
  [payouts, '---', 'Hello\n---', ':1  The lines above and below the fields must be ---.'],
  [payouts, '\n---\n', '\n—\n', ':4  The lines above and below the fields must be ---.'],
  [payouts, 'question: ', 'question = ', `:3  ${notField}`],
  [payouts, 'question: ', 'question:\u00A0', ':3  Put a plain space after the colon.'],
  [hero, 'tagline:', '\ttagline:', `:3  ${notField}`],
  // Unknown, missing and repeated fields.
  [hero, /tagline.*\n/, '', ':1  tagline is missing between the two lines ---. What belongs there'],
  [payouts, 'question:', 'questin:', ':3  Unknown field "questin". Did you mean question?'],
  [payouts, 'order:', 'color: red\norder:', ':2  Unknown field "color". The fields of this file are: order,'],
  [payouts, 'order:', 'order: 8\norder:', ':3  The field "order" appears twice. Remove one.'],
  // Values.
  [payouts, '904', 'fourth', ':2  order must be a whole number, such as 3, without quotes'],
  [payouts, '904', '-1', ':2  order must be 1 or more.'],
  ['content/features/sell.mdx', 'crate', 'crane', ':4  picture must be one of crate'],
  [terms, /updated: .*/, 'updated: 31 June 2025', ':4  updated must contain a real date'],
  [terms, /updated: .*/, 'updated: November 12, 2062', ':4  updated must contain a real date that is not in'],
  // Lists.
  [creators, list, 'audience:\n', ':4  audience is empty'],
  [creators, list, 'audience: Modders\n', ':4  audience must be a list: one line for each'],
  [creators, '  - Coders', '- Coders', `:6  ${notField}`],
  [creators, '- Coders', '- Coders: all', ':6  The : has a special meaning there. Put'],
  [creators, '- Coders', '- The **Coders**', ':6  Visitors would see **Coders** as typed'],
  [creators, '- Coders', `- ${'Code '.repeat(30)}`, ':6  audience, line 2 is longer than'],
  // Encodings and characters.
  [payouts, 'can', 'fÃ¼r', ':6  Visitors would see strange letters. Type them again, and save the file as'],
  [payouts, 'What', '\uF0B7 What', ':3  This line has a character that browsers cannot show'],
  // Two versions.
  [payouts, 'You', '<<<<<<< HEAD\nI\n=======\nYou', ':6  Two people changed this place. Keep one of the two'],
  [payouts, 'You', 'I\n=======\nYou', ':7  Two people changed this place.'],
  // Texts.
  [hero, /\n$/, '\nHello\n', ':9  No page shows text from this file. Remove everything below the fields.'],
  [payouts, /You.*\n/, '', ':6  There is no text below the fields. Add it.'],
  [article, words, '\n\n# When\n', 'This heading must begin with ## and a space.'],
  [article, words, '\n\n##\n', 'The heading has no words.'],
  [article, words, '\n\n## When\n\n#### At night\n', 'This heading must begin with ### and a space.'],
  [terms, words, '\n\nWords.\n', ':1  The text must mention {minimumAge}. Add it.'],
  [message, '[A](/)', 'Words.', 'The message has no button.'],
  [message, '[A]', `[${'Open '.repeat(9)}]`, 'The button is longer than 30 characters'],
];

describe('a mistake after an edit is reported with its file, its line and what to do:', () => {
  it.each(edits)('%s: %s → %j', async (file, from, to, said) => {
    copy.edit(file, from, to);
    const [first, ...more] = (await copy.check()).mistakes;
    expect(first).toContain(file);
    expect(first).toContain(said);
    // Only a legal text can lack several things at once.
    if (file !== terms) expect(more).toEqual([]);
  });
});

it.each([
  ['904', '903', ':2', 'order'],
  [/question: .*/, 'question: what does a TEST own?', ':3', 'question'],
])('two questions with the same field are both reported, from %s to %s', async (from, to, line, field) => {
  copy.edit(payouts, from, to);
  const say = (file: string, other: string) =>
    `${file}${line}  ${other} has the same ${field}. Change the ${field} of one.`;
  const ownership = 'content/faq/ownership.mdx';
  expect((await copy.check()).mistakes).toEqual([say(ownership, payouts), say(payouts, ownership)]);
});

/** The name that an editor gives a file, and the message. */
const names: [from: string, to: string, said: string][] = [
  [payouts, 'content/faq/payouts.mdx.txt', 'No page shows a file with this name. Did you mean payouts.mdx?'],
  [payouts, 'content/faq/payouts.MDX', 'Did you mean payouts.mdx?'],
  [payouts, 'content/faq/Réponse (1).mdx', 'Did you mean reponse-1.mdx? Use lowercase letters, digits and'],
  [payouts, 'content/faq/IMG_1.JPG', 'No page shows this file. Remove it, or move it: pictures belong in'],
  [payouts, 'content/perks/payouts.mdx', 'These fields belong to a file in content/faq/ or content/support-'],
  [message, 'content/pages/news.mdx', 'These fields belong to a file in content/announcements/. Move it'],
  [hero, 'content/sections/Hero.mdx', 'No page shows a file with this name. Did you mean hero.mdx?'],
  [hero, 'content/hero.mdx', 'No page shows this file.'],
];

describe('a file with a wrong name or in a wrong folder is reported once:', () => {
  it.each(names)('%s → %s', async (from, to, said) => {
    copy.rename(from, to);
    expect((await copy.check()).mistakes).toEqual([expect.stringContaining(`${to}:1  `)]);
    expect((await copy.check()).mistakes.join()).toContain(said);
  });

  it('also when it is the whole folder, and when it is missing', async () => {
    copy.rename('content/faq', 'content/Faq');
    expect((await copy.check()).mistakes).toEqual([
      'content/Faq/:1  No page shows this folder. Did you mean content/faq/?',
    ]);
    copy.rename('content/Faq', 'content/faq');
    copy.delete(hero);
    copy.delete('content/perks');
    expect((await copy.check()).mistakes).toEqual([
      'content/perks/:1  The folder needs at least one file.',
      `${hero}:1  The page needs this file, but it is missing. Restore it.`,
    ]);
  });
});

it('a file in another encoding is reported', async () => {
  const right = '---\norder: 1\nquestion: Für?\n---\n\nYes.';
  const said = 'Visitors would see strange letters. Type them again, and save the file as UTF-8.';
  copy.write(payouts, Buffer.from(`\uFEFF${right}`, 'utf16le'));
  expect((await copy.check()).mistakes).toEqual([`${payouts}:1  ${said}`]);
  copy.write(payouts, Buffer.from(right, 'utf16le'));
  expect((await copy.check()).mistakes).toEqual([`${payouts}:1  ${said}`]);
  copy.write(payouts, Buffer.from(right, 'latin1'));
  expect((await copy.check()).mistakes).toEqual([`${payouts}:3  ${said}`]);
});

it('a picture that browsers do not show, or that is too heavy, is reported with what to do', async () => {
  const plain = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
  // https://en.wikipedia.org/wiki/High_Efficiency_Image_File_Format
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
  const damaged = 'is damaged, or a format that most browsers cannot show. Export it as JPEG.';
  const pictures: [name: string, bytes: Buffer | string, said?: string][] = [
    ['yard.heic', heic, damaged],
    ['renamed.jpg', heic, damaged],
    ['words.png', 'These are words.', damaged],
    ['yard.tiff', await plain.tiff().toBuffer(), damaged],
    ['heavy.jpg', Buffer.alloc(9e6, await plain.jpeg().toBuffer()), 'has 9,000 KB. Make it at most 500 KB.'],
    ['yard.jpg', await plain.jpeg().toBuffer()],
    ['yard.png', await plain.png().toBuffer()],
    ['yard.webp', await plain.webp().toBuffer()],
    ['yard.avif', await plain.avif().toBuffer()],
    ['yard.gif', await plain.gif().toBuffer()],
  ];
  for (const [name, bytes] of pictures) copy.write(`public/${name}`, Buffer.from(bytes));
  copy.edit(payouts, words, `\n\n${pictures.map(([name]) => `![A yard](/${name})`).join('\n\n')}\n`);
  expect((await copy.check()).mistakes).toEqual(
    pictures.flatMap(([name, , said], index) => (said ? `${payouts}:${6 + 2 * index}  ${name} ${said}` : [])),
  );
});

it('everything is checked at once, as far as it can be read, and sorted by file and line', async () => {
  copy.edit(hero, /tagline: .*/, "tagline: ''\naccent: red");
  copy.edit(hero, /note: .*\n/, '');
  copy.edit(payouts, /$/, '\n[Help](/suport) {nothing} and {other}\n');
  const found = (await copy.check()).mistakes;
  expect(found.map((mistake) => mistake.replace(/ {2}.*/, ''))).toEqual([
    ...[`${payouts}:8`, `${payouts}:8`, `${payouts}:8`],
    ...[`${hero}:1`, `${hero}:3`, `${hero}:4`],
  ]);
});
