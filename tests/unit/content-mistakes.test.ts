import { globSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOf } from '~/content-check/check-names.ts';
import { type Collection, collections } from '~/content-check/collections.ts';
import { describeMistakes, findMistakes } from '~/content-check/mistakes.ts';
import { figures, site, social } from '~/site.ts';
import { type ContentChange, ContentCopy, hero, payouts, privacy, terms } from './content-copy.ts';

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

const creators = 'content/sections/creators.mdx';
const sell = 'content/features/sell.mdx';
const xpPerks = 'content/perks/xp-perks.mdx';
const about = 'content/pages/about.mdx';
const ownership = 'content/faq/ownership.mdx';
const quote =
  'A quote is opened and not closed, or closed too early. Words with an apostrophe go into "double quotes"';

/** What an editor types after `question:`, and the message for it. */
const questions: [typed: string, said: string][] = [
  // Characters with a meaning in YAML.
  ["'When's payday?'", quote],
  ["'When's pay: day?'", quote],
  ['"Say "hi" now"', quote],
  ['"When', quote],
  ["'When", quote],
  ['Now: when?', 'There is a second colon in the line. Put the words in quotes: question: "…".'],
  ['When is it paid:', 'There is a second colon in the line.'],
  ['@Creators, when?', 'The words begin with @, which means something else there. Put the words in quotes'],
  ['{app} pays when?', 'The words begin with {'],
  ['{app}', 'The words begin with {'],
  ['*When*', 'The words begin with *'],
  ['**When** is it?', 'The words begin with *'],
  ['- When', 'The words begin with -'],
  ['% of what?', 'The words begin with %'],
  ['`When`?', 'The words begin with `'],
  ['&copy when?', 'The words begin with &'],
  ['!When', 'The words begin with !'],
  ['[When] is it?', 'The words begin with ['],
  ['[4', 'The words begin with ['],
  ['> When', 'The words begin with >'],
  ['| When', 'The words begin with |'],
  [
    'We are #1. Are we? # yes',
    'A # after a space hides the rest of the line. Put all the words in quotes: "…".',
  ],
  ['# When', 'A # after a space hides the rest of the line.'],
  ['#1 in RP?', 'A # after a space hides the rest of the line. Put all the words in quotes: "…".'],
  ['“When: now”', 'Curly quotes do not work here. Put the words in quotes: question: "…".'],
  ['"When \\& how?"', 'A backslash \\ has a meaning of its own in double quotes.'],
  // Values of the wrong type.
  ['', 'question is empty. What belongs there: The question as a visitor would ask it.'],
  ["''", 'question is empty'],
  ['~', 'question is empty'],
  ['42', 'question must be words: put them in "double quotes"'],
  ['2025-01-01', 'question must be words'],
  ['true', 'question must be words'],
  [
    'What '.repeat(40),
    'question is longer than 120 characters (it has 199). What belongs there: The question',
  ],
  // Code that visitors would see.
  ['When **do** I get it?', 'Visitors would see **do** as typed. A field is plain words'],
  ['When do *I* get it?', 'Visitors would see *I* as typed.'],
  ['When do I [get](/support) it?', 'Visitors would see [get](/support) as typed.'],
  ['When does `payday` come?', 'Visitors would see `payday` as typed.'],
  ['"## When?"', 'Visitors would see ## When? as typed.'],
  ['Ask <DiscordLink>us</DiscordLink>?', 'Visitors would see <DiscordLink> as typed.'],
  ['Ask <SupportEmail />?', 'Visitors would see <SupportEmail /> as typed.'],
  ['When<br>do I?', 'Visitors would see <br> as typed.'],
  ['Scripts &amp; mods?', 'Visitors would see &amp; as typed.'],
  ['When\\*?', 'Visitors would see \\* as typed.'],
  ['When\\?', 'Visitors would see \\? as typed.'],
  ['When **do** I *get* it?', 'Visitors would see **do** as typed.'],
  ['Is it ||free|| now?', 'Visitors would see the bars ||.'],
  ['When [do I] (/support) get it?', 'Remove the space between ] and ( of the link: [words](/address).'],
  ['When **do I?', '** has no partner.'],
  ['When do I get it :money_bag:?', 'Visitors would see the name between colons. Type the emoji itself.'],
  ['When do I get it\\n?', 'Visitors would see the backslash \\ and its letter. Remove both.'],
  ['When do I get it?"', 'The quote " at the end has no partner. Remove it.'],
  // Facts.
  ...['${app}', '$app', '%app%', '[app]'].map((typed): [string, string] => [
    `When does ${typed} pay?`,
    `${typed} does not work. Write {app}.`,
  ]),
  ['When does {app.name} pay?', '{app.name} does not work. Write {app}.'],
  ['Is it {85}?', '{85} does not work. Write 85.'],
  [`Is ${site.name.toUpperCase()} free?`, `"${site.name.toUpperCase()}" is written once for the whole site.`],
  [
    'When does {prcie} come?',
    'question: There is no fact {prcie}. The facts are: {app}, {independenceNotice}',
  ],
  ['When does {payouttime} end?', 'There is no fact {payouttime}. Did you mean {payoutTime}?'],
  ['When does {payout time} end?', 'Did you mean {payoutTime}?'],
  ['When does {{payoutTime}} end?', '{{payoutTime}} does not work. Write {payoutTime}.'],
  ['When does {payoutTime end?', 'A curly bracket is opened and not closed.'],
  ['When does payoutTime} end?', 'payoutTime needs its brackets: {payoutTime}.'],
  ['When does payoutTime end?', 'payoutTime needs its brackets: {payoutTime}.'],
  ['When is it {1+1}?', '{1+1} is not a fact.'],
  ['When? {/* note */}', 'Visitors would see this note. Remove it.'],
  [`What is ${site.name}?`, `"${site.name}" is written once for the whole site. Write {app} instead.`],
  ['Is support@dropyard.example open?', 'does not work in a field. Write it in a text, as <SupportEmail />.'],
];

/** What an editor writes as a paragraph of an answer, and the message for it. */
const texts: [typed: string, said: string][] = [
  // Broken Markdown.
  ['See [here] (/support).', 'Remove the space between ] and ( of the link: [words](/address).'],
  [
    '![A yard](/my yard.png)',
    'The address of a link or picture contains a space. Remove it, or write %20 for it.',
  ],
  ['[here](/support', 'A link is not complete: [words](/address).'],
  ['(here)[/support]', 'The brackets of a link are swapped'],
  ['[here][support]', 'A link has no address'],
  ['It is ** not bold**.', '** has no partner. Bold is **bold**, without spaces inside.'],
  ['It is **not bold.', '** has no partner.'],
  ['##When', 'A space belongs between the # signs and the heading: ## Heading.'],
  ['-Scripts\n-Mods', 'A line of a list begins with a hyphen and a space: - words.'],
  ['• Scripts\n• Mods', 'A line of a list begins with a hyphen and a space'],
  ['1.Scripts\n2.Mods', 'A line of a list begins with a hyphen and a space'],
  ['It is **not bold*.', 'The stars before and after the words differ.'],
  ['It is `not code.', 'A backtick ` has no partner.'],
  ['- \n- Mods', 'This item of a list has no words.'],
  [
    '<DiscordLink>[us](/about)</DiscordLink>',
    '<DiscordLink> is a link already, and a link cannot contain another one.',
  ],
  ['```\nnot code', 'Visitors would see this as code.'],
  ['| A | B |\n| 1 | 2 |', 'A table needs a second line of hyphens'],
  ['Paid :money_bag: at once.', 'Visitors would see the name between colons. Type the emoji itself.'],
  ['Paid&nbps;at once.', 'The code between & and ; is unknown.'],
  ['It is *bold.', 'A star * has no partner. Italic is *italic*, without spaces inside.'],
  ['It is * bold * now.', 'A star * has no partner.'],
  ['*Not bold.', 'A star * has no partner.'],
  ['_ italic_', 'An underscore _ has no partner.'],
  ['It is __ bold __ now.', 'An underscore _ has no partner.'],
  ['**When:**now', 'A space belongs after the bold or italic words'],
  ['It is ==marked== here.', 'Visitors would see the signs ==.'],
  ['- [ ] Mods', 'Visitors would see a box to tick.'],
  ['![A yard]', 'A picture is not complete'],
  ...['[Help] [/support]', '[Help(/support)', '(Help)(/support)', '[[support]]'].map(
    (typed): [string, string] => [typed, 'A link has its words in square brackets and its address in round'],
  ),
  ['{Help}(/support)', 'A link has its words in square brackets and its address in round'],
  ['[Help]: /support', 'Visitors would not see "[Help]: …".'],
  ['[Help]: /suport', 'Visitors would not see "[Help]: …".'],
  ['[Help]: <> (note)', 'Visitors would not see "[Help]: …".'],
  ...['[Help]/support', '[Help] /support', 'Help(/support)', 'Help [/support]', '[Help](/support)(/about)']
    .concat('[Help]https://elsewhere.example')
    .map((typed): [string, string] => [
      typed,
      'A link has its words in square brackets and its address in round',
    ]),
  ['It is *** now.', 'Visitors would see the stars. Remove them.'],
  ['It is ***bold.', 'Visitors would see the stars.'],
  [
    'Terms apply*.',
    'There is no note for "apply*". Remove the star, or begin a paragraph with * and the note.',
  ],
  ['Terms apply*.\n\n* Not always.', 'There is no note for "apply*".'],
  ['*Not always * really.', 'A star * has no partner.'],
  ['*One two* three*.', 'There is no note for "three*".'],
  ['*When:*now', 'A space belongs after the bold or italic words'],
  ['######## When', 'A space belongs between the # signs and the heading'],
  ['It is ||hidden|| here.', 'Visitors would see the bars ||. Remove them.'],
  ['| A | B |\n\n| --- | --- |\n\n| 1 | 2 |', 'and no empty lines between its lines.'],
  ['Ask <@12345> or <:smile:12>.', 'Visitors would see the pointed brackets.'],
  ['It is [b]bold[/b].', 'Visitors would see the square brackets.'],
  ['[url=https://elsewhere.example]them[/url]', 'Visitors would see the square brackets.'],
  ['<ul><li>Mods</li></ul>', '<ul> is not known here. Begin each line of a list with a hyphen and a space.'],
  ['<iframe src="https://elsewhere.example"></iframe>', '<iframe> is not known here.'],
  ['/* note */', 'Visitors would see this note. Remove it.'],
  ['// note', 'Visitors would see this note. Remove it.'],
  ['<%= app %>', 'Visitors would see the pointed brackets. Remove them.'],
  ['<>Words</>', 'Visitors would see the pointed brackets.'],
  [':::note', 'Visitors would see the colons :::.'],
  ['> [!NOTE]', 'Visitors would see the square brackets.'],
  // Headings.
  ['## When', '"When" is a heading, and this text is too short for one. Make it **bold** instead.'],
  ['When\n====', '"When" is a heading'],
  ['When\n---', '"When" is a heading'],
  ['##', 'The heading has no words.'],
  // Facts.
  ['Within {payTime}.', 'There is no fact {payTime}. Did you mean {payoutTime}?'],
  ['Within {pay time}.', 'Did you mean {payoutTime}?'],
  ['Within {}.', '{} is not a fact. Curly brackets contain the name of one, such as {app}.'],
  ['Within {1+1}.', '{1+1} is not a fact.'],
  ['Within app}.', 'app needs its brackets: {app}.'],
  ['Within {payoutTime.', 'A curly bracket is opened and not closed.'],
  ['{/* note */}', 'Visitors would see this note. Remove it.'],
  ['Within {{payoutTime}}.', '{{payoutTime}} does not work. Write {payoutTime}.'],
  ['Within { {payoutTime} }.', `{ ${figures.payoutTime} } does not work. Write {payoutTime}.`],
  ['Within `{payoutTime}`.', 'Visitors would see {payoutTime} as typed. Remove the backticks around it.'],
  [
    `You keep ${figures.freeShare} of it.`,
    `"${figures.freeShare}" is written once for the whole site. Write {freeShare} instead. If you mean another figure, write {${figures.freeShare}}.`,
  ],
  ['You keep 85 % of it.', 'Write {freeShare} instead.'],
  ['It takes 2–3 business days.', 'Write {payoutTime} instead.'],
  ['Earn 1,000 XP for a drop.', 'If you mean another figure, write {1,000}.'],
  [site.independenceNotice, 'Write {independenceNotice} instead.'],
  [`Ask [us](${social.discord.link}).`, 'Write <DiscordLink>words</DiscordLink> instead.'],
  ['Write to support@dropyard.example.', 'Write <SupportEmail /> instead.'],
  // Tags.
  ...['{<SupportEmail />}', '{ <SupportEmail /> }'].map((typed): [string, string] => [
    `Ask ${typed}.`,
    '<SupportEmail> needs no curly brackets. Remove them.',
  ]),
  ['Ask [SupportEmail].', 'SupportEmail needs its brackets: <SupportEmail />.'],
  [
    'Ask < SupportEmail />.',
    '<SupportEmail> is not complete, or contains more than its name. Write <SupportEmail />.',
  ],
  ['[<SupportEmail />](/support)', '<SupportEmail> is a link already'],
  ...['<DiscordLink></DiscordLink>', '<DiscordLink> </DiscordLink>'].map((typed): [string, string] => [
    `Ask on ${typed}.`,
    '<DiscordLink> has no words: <DiscordLink>words</DiscordLink>.',
  ]),
  ...['<DiscordLink href>us</DiscordLink>', '<DiscordLink href="x">**us**</DiscordLink>']
    .concat('<DiscordLink>us<DiscordLink>', '<DiscordLink>us</Discord>', '<DiscordLink>us<DiscordLink/>')
    .map((typed): [string, string] => [`Ask ${typed}.`, '<DiscordLink> is not complete, or contains more']),
  ['Ask {SupportEmail}.', 'SupportEmail} does not work. Write <SupportEmail />.'],
  [
    'Ask <SupportEmail></SupportEmail>.',
    '<SupportEmail> is not complete, or contains more than its name. Write <SupportEmail />.',
  ],
  [
    'Ask <SupportEmail>.',
    '<SupportEmail> is not complete, or contains more than its name. Write <SupportEmail />.',
  ],
  [
    'Ask <SupportEmail/ >.',
    '<SupportEmail> is not complete, or contains more than its name. Write <SupportEmail />.',
  ],
  [
    'Ask </SupportEmail>.',
    '<SupportEmail> is not complete, or contains more than its name. Write <SupportEmail />.',
  ],
  ['Ask <supportemail />.', '<supportemail> is not known here. Did you mean <SupportEmail />?'],
  ['Ask <Support Email />.', 'Did you mean <SupportEmail />?'],
  [
    'Ask < SupportEmail >.',
    '<SupportEmail> is not complete, or contains more than its name. Write <SupportEmail />.',
  ],
  ['Ask <SupportMail />.', 'Did you mean <SupportEmail />?'],
  [
    'Ask <SupportEmail to="x" />.',
    '<SupportEmail> is not complete, or contains more than its name. Write <SupportEmail />.',
  ],
  [
    'Ask <SupportEmail',
    '<SupportEmail> is not complete, or contains more than its name. Write <SupportEmail />.',
  ],
  [
    'Ask on <DiscordLink>Discord.',
    '<DiscordLink> is not complete, or contains more than its name. Write <DiscordLink>words</DiscordLink>.',
  ],
  [
    'Ask on Discord</DiscordLink>.',
    '<DiscordLink> is not complete, or contains more than its name. Write <DiscordLink>words</DiscordLink>.',
  ],
  [
    'Ask on <DiscordLink />.',
    '<DiscordLink> is not complete, or contains more than its name. Write <DiscordLink>words</DiscordLink>.',
  ],
  ['One.<br>Two.', '<br> is not known here. Leave an empty line for a new paragraph.'],
  ['It is <b>bold</b>.', '<b> is not known here. Write **bold**.'],
  [
    'It is <Blink>bold</Blink>.',
    '<Blink> is not known here. Remove it. The known ones are <SupportEmail>, <SupportPhone>',
  ],
  ['<div>', '<div> is not known here.'],
  ['<!-- note -->', 'Visitors would see this note. Remove it.'],
  ['<script>alert(1)</script>', '<script> is not known here.'],
  ["import x from './x'", 'This line is code: visitors would see it. Remove it.'],
  ['export const x = 1', 'This line is code'],
  // Links.
  ['[Help](/suport)', 'There is no page /suport. Did you mean /support?'],
  ['[Help](/Support)', 'Did you mean /support?'],
  ['[Help](/support.mdx)', 'Did you mean /support?'],
  ['[Help](/faq)', 'There is no page /faq. Did you mean /#faq?'],
  ['[There](/#a-known-headin)', 'The page / has no place #a-known-headin. Did you mean #a-known-heading?'],
  ['[Up](#question-payout)', 'Did you mean #question-payouts?'],
  ['[Help](support)', '"support" is not a full address. Did you mean /support?'],
  ['[Help](../about.mdx)', 'Did you mean /about?'],
  ['[Help](/about.html)', 'Did you mean /about?'],
  ['[Help](somewhere)', 'is not a full address. Begin it with / for a page of this site, or with https://.'],
  ['[Help]()', 'The link has no address'],
  ['[Help](https://x elsewhere.example)', 'The address of a link or picture contains a space.'],
  ['[Call](tel:+1 555 0142)', 'contains a space. Remove it'],
  ['[Call](+15550142)', '+15550142 is a phone number. Write tel: in front of it.'],
  ['[Help](/поддержка)', 'There is no page /поддержка.'],
  ['See www.', 'www is not a full address. Write https:// in front of it.'],
  ['<me@elsewhere.example>', 'Write a link without < and >'],
  ['[](/support)', 'The link has no words'],
  [
    '[Them](www.elsewhere.example)',
    'www.elsewhere.example is not a full address. Write https:// in front of it.',
  ],
  ['[Them](discord.gg/x)', 'discord.gg/x is not a full address. Write https:// in front of it.'],
  ['[Them](http://elsewhere.example)', 'is not encrypted. Write https:// instead of http://.'],
  [
    'See www.elsewhere.example.',
    'www.elsewhere.example is not a full address. Write https:// in front of it.',
  ],
  ['[Them](https://elsewhere)', 'https://elsewhere is not a full address'],
  ['[Them](https//elsewhere.example)', '"https//elsewhere.example" is not a full address'],
  ['[Run](javascript:alert)', 'is not an address that works here. Begin it with https://.'],
  ['[Us](me@elsewhere.example)', 'is an email address. Write mailto: in front of it.'],
  ['[Us](mailto:me)', 'mailto:me contains no email address.'],
  ['<https://elsewhere.example>', 'Write a link without < and >: [words](/address).'],
  ['[Help][1]\n\n[1]: /suport', 'There is no page /suport'],
  ...['/%zz', '/support%', '/#%zz'].map((url): [string, string] => [
    `[There](${url})`,
    `${url} contains a % that is not part of a code. Write %25 for the sign.`,
  ]),
  ['[There](/100%25)', 'There is no page /100%.'],
  ['[There](/#a%25b)', 'The page / has no place #a%b.'],
  ['[There](/\\\\elsewhere.example)', 'leads to another site. Write its full address, with https://.'],
  // Pictures.
  ['![](/icon.svg)', 'The picture has no description'],
  ['![A shop](/shop.png)', 'There is no picture /shop.png. Put it into public/'],
  ['![Our sign](/Icon.svg)', 'There is no picture /Icon.svg. Did you mean /icon.svg?'],
  ['![Our sign](icon.svg)', 'Did you mean /icon.svg?'],
  ['![Our sign](../public/icon.svg)', 'Did you mean /icon.svg?'],
  ['![Our sign](C:\\icon.svg)', 'There is no picture C:'],
  ['![A shop](https://elsewhere.example/shop.png)', 'A picture from another server would tell'],
  ['![A shop](//elsewhere.example/shop.png)', 'A picture from another server would tell'],
  [
    '![A shop][1]\n\n[1]: https://elsewhere.example/shop.png',
    'Write the address of a picture beside its words',
  ],
];

const files: [mistake: string, change: ContentChange, place: string, said: string][] = [
  // Names.
  ['a missing file', (copy) => copy.delete(hero), `${hero}:1`, 'The file is missing'],
  [
    'an empty folder',
    (copy) => copy.delete('content/perks'),
    'content/perks/:1',
    'The folder needs at least one file.',
  ],
  ...[
    ['payouts.mdx.txt', 'Rename it to payouts.mdx.'],
    ['payouts.md', 'Rename it to payouts.mdx.'],
    ['payouts.MDX', 'Rename it to payouts.mdx.'],
    ['payouts.txt', 'Rename it to payouts.mdx.'],
    ['payouts', 'Rename it to payouts.mdx.'],
    ['pay.outs.mdx', 'Rename it to pay-outs.mdx.'],
    ['выплаты.mdx', 'Rename it to my-words.mdx.'],
    ['Pay Outs.mdx', 'Rename it to pay-outs.mdx.'],
    ['payouts (1).mdx', 'Rename it to payouts-1.mdx.'],
    ['auszahlung_ü.mdx', 'Rename it to auszahlung.mdx.'],
    ['payouts.docx', 'Save the words as plain text, under the name payouts.mdx.'],
  ].map(([name, said]): [string, ContentChange, string, string] => [
    `the name ${name}`,
    (copy) => copy.rename(payouts, `content/faq/${name}`),
    `content/faq/${name}:1`,
    said!,
  ]),
  [
    'the name of a section in capitals',
    (copy) => copy.rename(hero, 'content/sections/Hero.mdx'),
    'content/sections/Hero.mdx:1',
    'Did you mean hero.mdx?',
  ],
  [
    'a section nobody shows',
    (copy) => copy.write('content/sections/heroes.mdx', copy.read(hero)),
    'content/sections/heroes.mdx:1',
    'No page shows this file. Did you mean hero.mdx?',
  ],
  [
    'a legal text that no page shows',
    (copy) => copy.write('content/legal/cookies.mdx', copy.read(terms)),
    'content/legal/cookies.mdx:1',
    'No page shows this file. Move its words into a file that a page shows, or ask a programmer to add a page.',
  ],
  [
    'a picture beside the texts',
    (copy) => copy.write('content/faq/shop.png', ''),
    'content/faq/shop.png:1',
    'Pictures belong in public/.',
  ],
  [
    'a leftover of a program',
    (copy) => copy.write('content/faq/Thumbs.db', ''),
    'content/faq/Thumbs.db:1',
    'No page shows this file. Remove it.',
  ],
  // Folders.
  ...['content/perks/payouts.mdx', 'content/sections/payouts.mdx', 'content/payouts.mdx'].map(
    (file): [string, ContentChange, string, string] => [
      `a question at ${file}`,
      (copy) => copy.rename(payouts, file),
      `${file}:1`,
      'This looks like a question: move it to content/faq/ or content/support-faq/.',
    ],
  ),
  [
    'a feature among the perks',
    (copy) => copy.rename(sell, 'content/perks/sell.mdx'),
    'content/perks/sell.mdx:1',
    'This looks like a feature: move it to content/features/. If it belongs here, its fields are: order, title.',
  ],
  [
    'a misspelt folder',
    (copy) => (mkdirSync(join(copy.folder, 'content/fqa')), copy.write('content/fqa/first.mdx', 'x')),
    'content/fqa/:1',
    'Did you mean content/faq/?',
  ],
  [
    'a folder in capitals',
    (copy) => copy.rename('content/faq', 'content/FAQ'),
    'content/FAQ/:1',
    'No page shows this folder. Did you mean content/faq/?',
  ],
  [
    'a folder of named files in capitals',
    (copy) => copy.rename('content/sections', 'content/Sections'),
    'content/Sections/:1',
    'No page shows this folder. Did you mean content/sections/?',
  ],
  [
    'a folder inside a folder',
    (copy) => {
      mkdirSync(join(copy.folder, 'content/faq/old'));
      for (const name of ['a', 'b']) copy.write(`content/faq/old/${name}.mdx`, copy.read(payouts));
    },
    'content/faq/old/:1',
    'No page shows this folder. Did you mean content/faq/?',
  ],
  // Encodings.
  [
    'Latin-1',
    (copy) => copy.write(payouts, Buffer.from(copy.read(payouts).replace('can', 'für'), 'latin1')),
    `${payouts}:6`,
    'A letter of this line is lost: visitors would see �. Type it again. Save the file as UTF-8.',
  ],
  [
    'UTF-16',
    (copy) => copy.write(payouts, Buffer.from(`\uFEFF${copy.read(payouts)}`, 'utf16le')),
    `${payouts}:1`,
    'The file is saved as UTF-16, which the site cannot read. Save the file as UTF-8.',
  ],
  [
    'UTF-8 that was taken for Latin-1',
    (copy) => copy.edit(payouts, 'can', 'fÃ¼r'),
    `${payouts}:6`,
    'Visitors would see Ã¼ for one letter.',
  ],
  [
    'two versions of a line',
    (copy) => copy.edit(payouts, 'order: 904', '<<<<<<< HEAD\norder: 904\n=======\norder: 6\n>>>>>>> other'),
    `${payouts}:2`,
    'Two people changed this place. Keep one of the two versions',
  ],
  // The lines around the fields.
  [
    'no fields between',
    (copy) => copy.write(hero, '---\n---\n'),
    `${hero}:2`,
    'There are no fields between the lines ---.',
  ],
  [
    'an empty file',
    (copy) => copy.write(payouts, ''),
    `${payouts}:1`,
    'The file is empty. The file begins with a line ---',
  ],
  [
    'no fields',
    (copy) => copy.write(payouts, 'You can.\n'),
    `${payouts}:1`,
    'The line --- above the fields is missing.',
  ],
  [
    'words above the fields',
    (copy) => copy.write(payouts, `Hello\n${copy.read(payouts)}`),
    `${payouts}:1`,
    'The first line must be ---. Remove what is above it.',
  ],
  [
    'a dash above the fields',
    (copy) => copy.edit(payouts, '---', '—'),
    `${payouts}:1`,
    'The first line must be three hyphens: ---.',
  ],
  [
    'a dash below the fields',
    (copy) => copy.edit(payouts, '\n---\n', '\n—\n'),
    `${payouts}:4`,
    'The line below the fields must be three hyphens: ---.',
  ],
  [
    'four hyphens below the fields',
    (copy) => copy.edit(payouts, '\n---\n', '\n----\n'),
    `${payouts}:4`,
    'The line below the fields must be three hyphens',
  ],
  [
    'fields that do not end',
    (copy) => copy.write(hero, copy.read(hero).replace(/---\s*$/, '')),
    `${hero}:8`,
    'The second line --- is missing. Add it below the last field.',
  ],
  [
    'fields that do not end before the text',
    (copy) => copy.edit(payouts, '\n---\n', '\n'),
    `${payouts}:4`,
    'The second line --- is missing.',
  ],
  [
    'a field below the fields',
    (copy) => copy.edit(payouts, /(question: .*)\n---\n/, '---\n\n$1\n'),
    `${payouts}:5`,
    'The field "question" is below the line ---. Move it above that line.',
  ],
  // Fields.
  [
    'a missing field',
    (copy) => copy.edit(hero, /tagline.*\n/, ''),
    `${hero}:1`,
    'tagline is missing. What belongs there: The line below the headline.',
  ],
  [
    'a misspelt field',
    (copy) => copy.edit(payouts, 'question:', 'questin:'),
    `${payouts}:3`,
    'Unknown field "questin". Did you mean question?',
  ],
  [
    'a field in capitals',
    (copy) => copy.edit(payouts, 'question:', 'Question:'),
    `${payouts}:3`,
    'Unknown field "Question". Did you mean question?',
  ],
  [
    'a new field',
    (copy) => copy.edit(payouts, 'order: 904', 'order: 904\ncolour: red'),
    `${payouts}:3`,
    'Unknown field "colour". The fields of this file are: order, question.',
  ],
  [
    'a field that is there twice',
    (copy) => copy.edit(payouts, 'order: 904', 'order: 904\norder: 905'),
    `${payouts}:3`,
    'The field "order" appears twice. Remove one.',
  ],
  [
    'no space after the colon',
    (copy) => copy.edit(payouts, 'question: ', 'question:'),
    `${payouts}:3`,
    'A space belongs after the colon.',
  ],
  ...['yesterday', '', '31 June 2025', 'Febuary 2025', '2025-01-14'].map(
    (typed): [string, ContentChange, string, string] => [
      `the date of a legal text "${typed}"`,
      (copy) => copy.edit(terms, /updated: .*/, `updated: Last updated ${typed}`),
      `${terms}:4`,
      'updated must contain a date such as January 2025 or 14 January 2025.',
    ],
  ),
  [
    'an empty date of a legal text',
    (copy) => copy.edit(terms, /updated: .*/, "updated: ''"),
    `${terms}:4`,
    'updated is empty.',
  ],
  [
    'an equals sign for the colon',
    (copy) => copy.edit(payouts, 'question: ', 'question = '),
    `${payouts}:3`,
    'There is another sign where the colon belongs.',
  ],
  [
    'a line that is not a field',
    (copy) => copy.edit(hero, /tagline: .*/, 'Create. Drop.'),
    `${hero}:3`,
    'This line is not a field. A field is a name, a colon, a space and its words, all in one line.',
  ],
  [
    'a hyphen before a field',
    (copy) => copy.edit(payouts, 'question:', '- question:'),
    `${payouts}:3`,
    'Remove the hyphen before it.',
  ],
  [
    'a space that does not break behind the colon',
    (copy) => copy.edit(payouts, 'question: ', 'question:\u00A0'),
    `${payouts}:3`,
    'The space after the colon is not a plain one.',
  ],
  [
    'a line without a space in the middle of a list',
    (copy) => copy.add(payouts, '- Scripts\n- Mods\n-Maps'),
    `${payouts}:10`,
    'A line of a list begins with a hyphen and a space',
  ],
  [
    'spaces before a field',
    (copy) => copy.edit(hero, 'tagline:', '  tagline:'),
    `${hero}:3`,
    'The name of a field begins at the left edge.',
  ],
  [
    'spaces before the first field',
    (copy) => copy.edit(hero, 'heading:', ' heading:'),
    `${hero}:2`,
    'The name of a field begins at the left edge.',
  ],
  [
    'a tab before a field',
    (copy) => copy.edit(hero, 'tagline:', '\ttagline:'),
    `${hero}:3`,
    'There is a tab at the beginning of the line. Use spaces.',
  ],
  ...[
    ['order:', 'order is empty. What belongs there: The place among the files of this folder'],
    ['order: fourth', 'order must be a whole number, such as 3.'],
    ['order: "4"', 'order must be a whole number, such as 3, without quotes.'],
    ['order: 9.5', 'order must be a whole number'],
    ['order: 99999999999999999999', 'order is too large.'],
    ['order: 0', 'order must be 1 or more.'],
    ['order: -1', 'order must be 1 or more.'],
    ['order: 903', `${ownership} has the same order. Change the order of one.`],
  ].map(([line, said]): [string, ContentChange, string, string] => [
    line!,
    (copy) => copy.edit(payouts, 'order: 904', line!),
    `${payouts}:2`,
    said!,
  ]),
  ['a missing order', (copy) => copy.edit(payouts, 'order: 904\n', ''), `${payouts}:1`, 'order is missing'],
  [
    'a question that is asked twice',
    (copy) => copy.edit(payouts, /question: .*/, 'question: what does a TEST own?'),
    `${payouts}:3`,
    `${ownership} has the same question. Change the question of one.`,
  ],
  [
    'a title that is too long',
    (copy) => copy.edit(xpPerks, /title: .*/, `title: ${'XP '.repeat(40)}`),
    `${xpPerks}:3`,
    'title is longer than 60 characters (it has 119).',
  ],
  [
    'a description that is too long for search results',
    (copy) => copy.edit(about, /description: .*/, `description: ${'a'.repeat(181)}`),
    `${about}:3`,
    'description is longer than 180 characters (it has 181).',
  ],
  ['an unknown picture', (copy) => copy.edit(sell, 'crate', 'crane'), `${sell}:4`, 'picture must be one of'],
  // Lists.
  [
    'a list without lines',
    (copy) => copy.edit(creators, /audience:\n( +- .*\n)+/, 'audience:\n'),
    `${creators}:4`,
    'audience is empty',
  ],
  [
    'words for a list',
    (copy) => copy.edit(creators, /audience:\n( +- .*\n)+/, 'audience: Modders\n'),
    `${creators}:4`,
    'audience must be a list: one line for each, with a hyphen and a space before it.',
  ],
  [
    'a line of a list that is too long',
    (copy) => copy.edit(creators, '- Coders', `- ${'Coders '.repeat(9)}`),
    `${creators}:6`,
    'audience, line 2 is longer than 40 characters',
  ],
  [
    'no space after the hyphen of a list',
    (copy) => copy.edit(creators, '- Coders', '-Coders'),
    `${creators}:6`,
    'A space belongs after the hyphen: "- Coders".',
  ],
  [
    'a tab in a list',
    (copy) => copy.edit(creators, '  - Coders', '\t- Coders'),
    `${creators}:6`,
    'There is a tab at the beginning of the line. Use spaces.',
  ],
  ...[' - Coders', '    - Coders'].map((line): [string, ContentChange, string, string] => [
    `a list that is not straight, "${line}"`,
    (copy) => copy.edit(creators, '  - Coders', line),
    `${creators}:6`,
    'Begin every line of a list with two spaces, a hyphen and a space.',
  ]),
  ...['  * Coders', '  • Coders'].map((line): [string, ContentChange, string, string] => [
    `another sign in a list, "${line}"`,
    (copy) => copy.edit(creators, '  - Coders', line),
    `${creators}:6`,
    'Begin every line of a list with two spaces, a hyphen and a space.',
  ]),
  [
    'a line of a list without a hyphen',
    (copy) => copy.edit(creators, '  - Modders', '  Modders'),
    `${creators}:6`,
    'Begin every line of a list',
  ],
  [
    'a colon in a list',
    (copy) => copy.edit(creators, '- Coders', '- Coders: all'),
    `${creators}:6`,
    'audience, line 2 must be words',
  ],
  [
    'a # in a list',
    (copy) => copy.edit(creators, '- Modders', '- Modders # and more'),
    `${creators}:5`,
    'A # after a space hides the rest of the line.',
  ],
  [
    'a quote that closes too early in a list',
    (copy) => copy.edit(creators, '- Coders', `- 'Coders' friends'`),
    `${creators}:6`,
    quote,
  ],
  [
    'formatting in a list',
    (copy) => copy.edit(creators, '- Coders', '- The **Coders**'),
    `${creators}:6`,
    'audience, line 2: Visitors would see **Coders** as typed.',
  ],
  // Texts.
  [
    'a text that no page shows',
    (copy) => copy.add(hero, 'Hello'),
    `${hero}:10`,
    'No page shows a text of this file. Remove everything below the fields.',
  ],
  [
    'no text',
    (copy) => copy.write(payouts, copy.read(payouts).replace(/(---\n[^]*?---\n)[^]*/, '$1')),
    `${payouts}:5`,
    'There is no text below the fields. Write one.',
  ],
  [
    'an answer that is too long',
    (copy) => copy.setText(payouts, 'Words '.repeat(301)),
    `${payouts}:6`,
    'The text has 301 words, and 300 fit here. Shorten it.',
  ],
  [
    'a perk that is too long',
    (copy) => copy.setText(xpPerks, 'Words '.repeat(61)),
    `${xpPerks}:6`,
    'The text has 61 words, and 60 fit here.',
  ],
  [
    'a second title',
    (copy) => copy.setText(about, '# When'),
    `${about}:8`,
    'The page already has a title. A heading in a text begins with ##.',
  ],
  [
    'a heading of a contact alone',
    (copy) => copy.setText(about, '## <SupportEmail />'),
    `${about}:8`,
    'The heading has no words. A contact or a picture alone is not enough.',
  ],
  [
    'an unknown fact below a bare address',
    (copy) => copy.add(payouts, 'Ask\nat me@elsewhere.example and\n{nothing}.'),
    `${payouts}:10`,
    'There is no fact {nothing}.',
  ],
  [
    'a bare address without its beginning in a second line',
    (copy) => copy.add(payouts, 'Ask\nat www.elsewhere.example now.'),
    `${payouts}:9`,
    'www.elsewhere.example is not a full address.',
  ],
  [
    'a line of hyphens below a text',
    (copy) => copy.setText(about, 'That is all\n---\n\nMore.'),
    `${about}:8`,
    'The line below "That is all" makes a heading of it. Put an empty line between them, or begin the heading with ##.',
  ],
  [
    'a heading that skips a level',
    (copy) => copy.setText(about, '## When\n\n#### At night'),
    `${about}:10`,
    'The heading #### skips a level. Begin it with ###.',
  ],
  [
    'a component that stays open in the second line of a paragraph',
    (copy) => copy.add(payouts, 'Ask\non <DiscordLink>Discord.\n\nMore.'),
    `${payouts}:9`,
    '<DiscordLink> is not complete, or contains more than its name. Write <DiscordLink>words</DiscordLink>.',
  ],
];

/** Correct sentences, in fields and in texts. */
const plainQuestions = [
  'Earn 11,000 XP, or 130 days of it?',
  'Earn {1,000} XP?',
  '1. Sign up',
  'Are we #1 in RP?',
  '2 * 3 * 4 and a_b_c?',
  'When, at x < 3 or <3?',
  'Do R&B; and Q&A count?',
  'Where is __resource.lua?',
  'Is it “free”, or even “free: for all”?',
  'Do I write to name@example.com?',
  'Is 3 > 2 (it is) [sic]?',
  'Do { app } and {app} differ?',
  '*For the first of us',
  'Is it free*?',
  'Is “she/her” or [sic]/other fine?',
  'Is C:\\mods a folder?',
  'Когда? 什么时候？ 🎉',
];

const plainTexts = [
  'import duties are yours to pay.',
  'export = sale, in our words.',
  'Earn 11,000 XP in 130 days, or $1,000 in 1,000,000.',
  `Earn {${figures.firstCreators}} XP, or {${figures.freeShare}} of them.`,
  'Less than <5 days, at x < 3, <3.',
  'A bracket } alone, and [one] more.',
  'Where is __resource.lua, and f**k it, 2 * 3 * 4?',
  'We are #1.',
  '-Jo',
  'Terms apply*. Write stream/* or use _G and __resource.\n\n*Not always.',
  'Wow! [Click](/support), the 4.5* shop with C:\\new files and [one] of /us.',
  'It is 10:30:15 now, and a < b > c.',
  '| A | B |\n| --- | --- |\n| 1 | 2 |',
  '- **One**\n- *two*\n1. three',
  'Ask <SupportEmail />, <SupportPhone/> or <PostalAddress />.\n<DiscordLink>Our **own** Discord</DiscordLink>.',
  'Q&A; R&D, &lt;b&gt; no more.'.replace('&lt;b&gt; ', ''),
  'https://elsewhere.example and me@elsewhere.example',
  'Keep {freeShare}* of a “sale”*, where a==b==c.\n\n*Before tax.',
  'Free* for all**.\n\n*Almost.\n\n**Not you.',
  'An item (s. below)* and M*A*S*H.\n\n*Below.',
  'Take a<b, the [he]/she form, a # sign, a|b, 1 || 2 and C++.',
  'Write to me@elsewhere.example,\nor to us.',
  '- One\n  - Two\n    - Three',
  '1) One\n2) Two',
  '***Both***, *[linked](/support)* and [**bold**](/about).',
  'You pay 30 euros in 130 days (or 30). It is 85.5%.',
  'ﷺ שלום 🎉 naïve “quotes” — and … more',
];

/** Checks questions that differ in one place, all at once, and returns the messages for each: `line  message`. */
function checkQuestions(
  all: string[],
  write: (typed: string) => { question?: string; text?: string },
): string[][] {
  const crowd = new ContentCopy();
  all.forEach((typed, index) => {
    const { question = `What is ${index}?`, text = '' } = write(typed);
    const fields = `order: ${index + 10}\n${`question: ${question}`.trimEnd()}`;
    crowd.write(`content/faq/case-${index}.mdx`, `---\n${fields}\n---\n\nYou can wait for it.\n\n${text}\n`);
  });
  const mistakes = crowd.findMistakes();
  crowd.remove();
  return all.map((_, index) =>
    mistakes
      .filter(({ file }) => file === `content/faq/case-${index}.mdx`)
      .map(({ line, message }) => `${line}  ${message}`),
  );
}

describe('a mistake is reported once, with file, line and what to do:', () => {
  const inFields = checkQuestions(
    questions.map(([typed]) => typed),
    (question) => ({ question }),
  );
  it.each(questions.map((one, index) => [...one, inFields[index]!] as const))(
    'question: %s',
    (_, said, found) => {
      expect(found).toEqual([expect.stringContaining(said)]);
      expect(found[0]).toMatch(/^3 /);
    },
  );

  const inTexts = checkQuestions(
    texts.map(([typed]) => typed),
    (text) => ({ text }),
  );
  it.each(texts.map((one, index) => [...one, inTexts[index]!] as const))('%s', (typed, said, found) => {
    expect(found).toEqual([expect.stringContaining(said)]);
    expect(found[0]).toMatch(typed.includes('\n\n[1]: /') ? /^10 / : /^8 /);
  });

  it.each(files)('%s', (_, change, place, said) => {
    change(copy);
    const found = copy.findMistakes().map(({ file, line, message }) => `${file}:${line}  ${message}`);
    expect(found).toEqual([expect.stringContaining(said)]);
    expect(found[0]).toMatch(new RegExp(`^${RegExp.escape(place)}  `));
  });
});

describe('a correct sentence passes:', () => {
  const inFields = checkQuestions(plainQuestions, (typed) => ({ question: `'${typed}'` }));
  it.each(plainQuestions.map((typed, index) => [typed, inFields[index]] as const))(
    'question: %s',
    (_, found) => expect(found).toEqual([]),
  );

  const inTexts = checkQuestions(plainTexts, (text) => ({ text }));
  it.each(plainTexts.map((typed, index) => [typed, inTexts[index]] as const))('%s', (_, found) =>
    expect(found).toEqual([]),
  );

  it('with links to pages, places, questions, files and other sites', () => {
    copy.write('public/100% ours.txt', '');
    const urls = [
      ...['/', '/about', '/support/', '/#faq', '/#question-ownership', '/#a-known-heading', '#top'],
      ...['/icon.svg', '/terms-of-use#main', '/100%25%20ours.txt', '/welcome/jo'],
      ...['https://elsewhere.example', 'mailto:a@b.example', 'tel:+15550142'],
    ];
    copy.add(payouts, [...urls.map((url) => `[There](${url})`), '![The logo](/icon.svg)'].join('\n'));
    expect(copy.findMistakes()).toEqual([]);
  });

  it('with Windows line endings and a byte order mark', () => {
    copy.write(payouts, `\uFEFF${copy.read(payouts).replaceAll('\n', '\r\n')}`);
    expect(copy.findMistakes()).toEqual([]);
  });

  it('with headings of several levels on a page of its own', () => {
    copy.add(about, '## When\n\n### By day\n\n### By night\n\n## How');
    expect(copy.findMistakes()).toEqual([]);
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

describe('a legal text', () => {
  it.each([
    [
      'terms-of-use',
      ['{minimumAge}', '{freeShare}', '{premiumShare}', '{payoutTime}', '{deletionTime}'].concat([
        'ZIP',
        'MP4',
        'PNG',
        'PDF',
        '{independenceNotice}',
        '<SupportEmail />',
      ]),
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
});

describe('the content', () => {
  it('has no mistakes as it is', () => {
    const root = resolve(import.meta.dirname, '../..');
    const { mistakes, count } = findMistakes(root);
    expect(mistakes).toEqual([]);
    expect(count).toBe(globSync('content/*/*.mdx', { cwd: root }).length);
  });

  it('lists all of many mistakes, sorted by file and line', () => {
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
