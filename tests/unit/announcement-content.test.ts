import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkFiles, ContentCopy } from './content-copy.ts';

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

const news = 'content/announcements/news.mdx';

const fields = 'draft: true\nsubject: News for tests\npreview: Read this';
const button = '[Open the beta](/)';

const write = (text = button, typed = fields) => copy.write(news, `---\n${typed}\n---\n\n${text}\n`);
const find = () => copy.findMistakes().map(({ file, line, message }) => `${file}:${line}  ${message}`);

/** The text of an announcement, the line with the mistake, and the message. */
const texts: [text: string, line: number, said: string][] = [
  // The button.
  ['Words alone.', 7, 'The message has no button. Put its main link into its own paragraph: [words]'],
  ['Read [more](/) now.', 7, 'The message has no button.'],
  ['[Read more](/) now.', 7, 'The message has no button.'],
  [`Words.\n\n- ${button}`, 7, 'The message has no button.'],
  [
    `${button}\n\nMore words.\n\n[Read more](/about)`,
    11,
    'A link that is alone in its paragraph is a button, and line 7 already has one. Add words around this one, or remove it.',
  ],
  [`${button}\n\n<DiscordLink>Join us</DiscordLink>`, 9, 'line 7 already has one.'],
  [`${button}\n\n**[Read more](/about)**`, 9, 'line 7 already has one.'],
  ['Words.\n\nhttps://elsewhere.example/beta', 9, 'The button shows its address. Write [words](/address).'],
  ['Words.\n\nme@elsewhere.example', 9, 'The button shows its address.'],
  [
    `Words.\n\n[${'Open it '.repeat(4)}](/)`,
    9,
    'The button is longer than 30 characters (it has 31). Shorten it.',
  ],
  // Elements that an email cannot contain.
  [
    `${button}\n\n![A yard](/icon.svg)`,
    9,
    'An email cannot have pictures, because many mail programs hide them.',
  ],
  [`${button}\n\n| A | B |\n| --- | --- |\n| 1 | 2 |`, 9, 'An email cannot have tables'],
  [`${button}\n\n> Words.`, 9, 'An email cannot have quotes.'],
  [`${button}\n\nWords.\n\n---\n\nWords.`, 11, 'A line across the text does not fit here. Remove it.'],
  [`${button}\n\nThe \`file\` here.`, 9, 'An email cannot show code. Remove the backticks `.'],
  [`${button}\n\nThe ~~old~~ words.`, 9, 'An email cannot have crossed-out words.'],
  [`${button}\n\n[Read][1] more.\n\n[1]: /about`, 11, 'Write an address beside its words'],
  [`${button}\n\nWords.[^1]\n\n[^1]: A note.`, 9, 'An email cannot have footnotes.'],
  [`${button}\n\n# News`, 9, 'A heading in a text begins with ##.'],
  [
    `${button}\n\n## News\n\n### More`,
    11,
    'An email has only one level of headings. Begin this one with ##.',
  ],
  // As everywhere.
  [`${button}\n\nRead [more](/abuot) here.`, 9, 'There is no page /abuot. Did you mean /about?'],
  [`${button}\n\n## News\n\nRead [more](#news) here.`, 11, 'The page / has no section #news.'],
  [`${button}\n\nEarn {prcie}.`, 9, 'Visitors would see {prcie} as typed.'],
  [`${button}\n\nDear %FIRST_NAME%.`, 9, 'Visitors would see %FIRST_NAME% as typed. Remove it.'],
  [`${button}\n\nDear *|FNAME|*.`, 9, 'Visitors would see |FNAME| as typed. Remove it.'],
  [`${button}\n\nDear {{address}}.`, 9, 'Visitors would see {{address}} as typed.'],
  [`${button}\n\n${'Words '.repeat(500)}`, 7, 'The text has 503 words, but only 500 fit here. Shorten it.'],
  ['', 8, 'There is no text below the fields. Add it.'],
];

/** The fields of an announcement, the line with the mistake, and the message. */
const heads: [typed: string, line: number, said: string][] = [
  [
    'subject: News',
    1,
    'preview is missing between the two lines ---. What belongs there: The line that an inbox shows after the subject.',
  ],
  ['preview: News', 1, 'subject is missing between the two lines ---.'],
  [`subject: ${'News '.repeat(15)}\npreview: News`, 2, 'subject is longer than 70 characters (it has 74).'],
  ['draft: "true"\nsubject: News\npreview: News', 2, 'draft must be true or false, without quotes.'],
  ['draft: yes\nsubject: News\npreview: News', 2, 'draft must be true or false, without quotes.'],
  [
    'draft:\nsubject: News\npreview: News',
    2,
    'draft is empty. What belongs there: true until the message is ready to be sent.',
  ],
  ['daft: true\nsubject: News\npreview: News', 2, 'Unknown field "daft". Did you mean draft?'],
  ['subject: The **news**\npreview: News', 2, 'Visitors would see **news** as typed.'],
];

describe('a mistake in an announcement is reported once, with file, line and what to do:', () => {
  const inTexts = checkFiles(
    'content/announcements',
    (text) => `---\n${fields}\n---\n\n${text}\n`,
    texts.map(([text]) => text),
  );
  it.each(texts.map((one, index) => [...one, inTexts[index]!] as const))('%j', (_, line, said, found) => {
    expect(found).toEqual([expect.stringContaining(said)]);
    expect(found[0]).toMatch(`${line}  `);
  });

  const inFields = checkFiles(
    'content/announcements',
    (typed) => `---\n${typed}\n---\n\n${button}\n`,
    heads.map(([typed]) => typed),
  );
  it.each(heads.map((one, index) => [...one, inFields[index]!] as const))('%j', (_, line, said, found) => {
    expect(found).toEqual([expect.stringContaining(said)]);
    expect(found[0]).toMatch(`${line}  `);
  });

  it.each([fields, fields.replace(/draft.*\n/, '')])(
    'when it is in the wrong folder, with the fields %j',
    (typed) => {
      write(button, typed);
      copy.rename(news, 'content/pages/news.mdx');
      expect(find()).toEqual([
        'content/pages/news.mdx:1  This looks like an announcement: move it to content/announcements/.',
      ]);
    },
  );
});

describe('announcements pass', () => {
  it.each([
    button,
    '<DiscordLink>Join us</DiscordLink>',
    '**[Open {app}](https://elsewhere.example)**',
    `[${'x'.repeat(30)}](/)\n\n${'Words '.repeat(499)}`,
    `## One\n\nWords **bold** and *not*,\\\nwith [a link](/#faq).\n\n${button}\n\n## Two\n\n- One\n  - Two\n\n1. Three`,
    `Ask <SupportEmail />, <SupportPhone /> or <PostalAddress />.\n\n${button}`,
  ])('with the text %j', (text) => {
    write(text);
    expect(find()).toEqual([]);
  });

  it('when there are none', () => {
    copy.delete('content/announcements');
    expect(find()).toEqual([]);
  });
});
