import { parseFrontmatter } from '@astrojs/markdown-remark';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it as base } from 'vitest';
import { figures, site, social } from '~/config/site.ts';
import { readSource } from '~/content-model/check/read-source.ts';
import { checkTyped, ContentCopy } from './content-copy.ts';

const payouts = 'content/faq/payouts.mdx';
const hero = 'content/sections/hero.mdx';
const creators = 'content/sections/creators.mdx';
const terms = 'content/legal/terms-of-use.mdx';
const article = 'content/pages/unsubscribe.mdx';
const message = 'content/announcements/item-1.mdx';
const welcome = 'content/email/welcome.mdx';

/** A test that may ask for a copy of its own. */
const it = base.extend('copy', ({ onTestFinished }) => {
  const copy = new ContentCopy();
  onTestFinished(() => copy.remove());
  return copy;
});

/** What the one message about it says, and what an editor types. */
type Cases = Record<string, string[]>;

const questions: Cases = {
  'straight quotes: question: "': [
    '2026-11-26',
    "'What's it?'",
    'Now: when?',
    'Is it #1?',
    '*Now* or then?',
    '"Now?',
    '“Now: when?”',
  ],
  [String.raw`straight quotes: question: 'When \& how?'`]: ['"When \\& how?"'],
  [`straight quotes: question: 'Is it: "new"?'`]: ['"Is it: "new"?"', '“Is it: "new"?”'],
  'question is empty. What belongs there: ': ['', "' '"],
  'question must be words: put them in "double quotes"': ['42'],
  'characters (it has 199). What belongs there: ': ['What '.repeat(40)],
  'A field is plain words.': ['Is **it**?', 'Is *it*?', 'Is _it_?', 'R&amp;B?', 'Caf&eacute;?', 'Is `it`?'],
  'Visitors would see [it](/b) as typed. A field is plain words.': ['Is [it](/b)?'],
  'Visitors would see <b> as typed.': ['When <b>do</b> I?'],
  '<SupportEmail /> works in texts only.': ['Ask <SupportEmail />?'],
  'Did you mean {payoutTime}?': ['Is it {payouttime}?', 'Is it {payout\u200B time}?', 'Is it {payTime}?'],
  'Did you mean {app}?': ['Is it {{app}}?', 'Is it {app now?', 'Is it ${app}?'],
};

const answers: Cases = {
  'Did you mean <SupportEmail />? To show it, put it in `backticks`.': ['Ask <SupportEmial />.'],
  'There is no page {discrod}. Did you mean {discord}?': ['Ask [us]({discrod}).'],
  'HTML does not work: remove every tag.': ['<Blink>It</Blink> is.', '[HTML][1]\n\n<p>It</p>\n\n<i>is</i>'],
  'Visitors would see <!-- Ask as typed. It would not be hidden.': ['Yes. <!-- Ask\nAnna -->'],
  'would not be hidden.': ['{/*ask*/} Yes.', '{/* ask */} Yes.', '{% include x %}', 'So it is【4†source】.'],
  'A link is [words]': ['[a](/b', '[a] (/b)', '(a)[/b]', '[a(/b)', 'a](/b)', '[a]{discord}', '![][c]'],
  'without < and >': ['<https://elsewhere.example/>', '<https://x.example|us>', '<jo@x.example>'],
  'Write an address beside its words': ['[Help][1]\n\n[1]: /support'],
  'A link cannot contain a contact.': ['[<SupportEmail />](/support)', '[Us](<SupportPhone />)'],
  'A link has no words.': ['[](/support)'],
  'The link has no address. Write [words](/address).': ['[Help]()'],
  'There is no page ../suport.mdx. Did you mean /support?': ['[Help](../suport.mdx)'],
  '/support. Did you mean /support?': [
    '[Help](https://b-waitlist-preview.me.workers.dev/support)',
    '[Help](http://localhost:3000/support)',
  ],
  'There is no page /faq. Did you mean /#faq?': ['[Help](/faq)'],
  'Did you mean https://www.x.example?': ['[Us](www.x.example)'],
  'Did you mean https://x.example/us?': ['[Us](x.example/us)'],
  'Did you mean mailto:a@x.example?': ['[Us](a@x.example)'],
  'mailto:us is not an email address': ['[Us](mailto:us)'],
  'Remove the quotes around the address “/support”.': ['[Us](“/support”)'],
  'There is: #question-': ['[There](/#question-of-somebody-that-is-gone)'],
  'An address begins with https://, mailto: or tel:': ['[Run](javascript:alert)'],
  'has no section #qestion-payouts. Did you mean #question-payouts?': ['[There](/#qestion-payouts)'],
  'is not encrypted. Write https://www.x.example.': ['[Us](http://www.x.example)', 'See www.x.example.'],
  'The picture has no description': ['![IMG_1234](/icon.svg)'],
  'There is no picture /größe.png. Put it into public/': ['![A shop](/gr%C3%B6%C3%9Fe.png)'],
  'Did you mean /icon.svg?': ['![Our sign](icon.svg)'],
  'Put it into public/.': ['![A shop](https://elsewhere.example/shop.png)'],
  'Visitors would see this as code. Remove the backticks ```.': ['```\nnot code'],
  'A footnote does not fit here. Write its words into the text.': ['Soon.[^1]\n\n[^1]: Or later.'],
  'Visitors would see a checkbox. Remove [ ] or [x].': ['- [ ] Mods'],
  'This list item has no words.': ['- \n- Mods'],
  '"When" is a heading, and this text is too short for one. Make it **bold** instead': ['## When'],
  'The text has 600 words, but only': ['Words '.repeat(600)],
  'The line below "When" makes a heading of it. Remove that line.': ['When\n---', 'When\n=='],
};

const announcements: Cases = {
  '8  A message has one button: a link that is alone in its paragraph': ['[More](/about)'],
  'An email cannot have pictures, tables,': ['![A yard](/icon.svg)', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
  'This heading must begin with ## and a space.': ['## News\n\n### More'],
  'The page / has no section #news.': ['## News\n\nRead [more](#news) here.'],
  'a message cannot contain a name.': [
    '*|FNAME|*!',
    '{{ one }}!',
    '{name}!',
    '%a.name%!',
    '[First Name]!',
    '<name>!',
  ],
  'The text has 502 words, but only 500 fit here. Shorten it.': ['Words '.repeat(500)],
};

/** Returns each typed case with what is said about it. */
const list = (cases: Cases) =>
  Object.entries(cases).flatMap(([said, all]) => all.map((typed) => [typed, said] as const));

describe.each([
  ['question', questions],
  ['answer', answers],
  ['announcement', announcements],
] as const)('a mistake in a new %s is reported once, with what to do:', async (place, cases) => {
  it.each(await checkTyped(place, list(cases)))('%s', (_, said, { mistakes }) =>
    expect(mistakes).toEqual([expect.stringContaining(said)]),
  );
});

const deletion = figures.deletionTime.replace(' ', '-');

describe('what may be meant is a warning, which stops nothing:', async () => {
  const cases = {
    'as typed. Delete it if it is not meant for them.': [
      ...['##Heading', '##\u00A0Heading', '**bold text', 'A *word', '**注意：**これ', '<:yard:1>'],
      ...['==new==', '||secret||', '[b]new[/b]', 'It is ** big **!', 'Type `/pay now.'],
      ...['[our wiki][wiki]', '[[Support]]', '> [!NOTE]\n> Read.', '<@123456>', '<t:1:R>', '[app]'],
      ...['See [it](Our terms).', 'Call [us](+1 555).', 'TODO ask.', 'It is [TODO] long.', 'TBD. Or not.'],
      ...['→ One\n→ Two', 'So:\n2. One\n3. Two', '(a) One\n(b) Two', '[ ] One', '[x] One', '{freeShare} %'],
      ...['-One', 'Kinds:\n-One\n-Two', '-\u00A0One', '• One\n• Two', '1)One', 'Either\na) one or\nb) two'],
      ...['| A | B |', 'Mods\t$5\nMaps\t$6', '10 m^2^', ':rocket: time', 'Sure! Here’s it:', '-# small'],
      ...['TODO: ask.', '// TODO ask.', 'TBD', 'Lorem ipsum', '{freeShare}%', '✅ A\n❌ B', 'So\\'],
    ],
    '7  Visitors would see this line as a part of': ['- Mods\nOr maps.', '> Great!\nMia', '- One\n-Two'],
    '9  Visitors would see this line as a part of': ['| A | B |\n| - | - |\n| C | D |\nNow.'],
    'Visitors would see {player} as typed. The facts are {app}, ': ['It says {player}.'],
    '7  Visitors would see an invisible': ['One.\n\u00A0\nTwo.', 'One.\n\u00A0- Two', '**One**\n\u200B- Two'],
    'Did you mean {app}?': ['Call {api}.'],
    'Write {freeShare}, so': ['%', '\u00A0%', ' percent'].map(
      (sign) => `It is ${figures.freeShare.replace('%', sign)}.`,
    ),
    'Write {payoutTime}, so': ['–', ' to '].map((to) => `In ${figures.payoutTime.replace('-', to)}.`),
    'Write {firstCreators}, so': [figures.firstCreators.replace(',', '')].filter(({ length }) => length > 2),
    [`or {${deletion}} for another figure.`]: [`Gone in ${deletion}.`],
    [`"${site.name}" is defined once for the whole site. Write {app}, so that it changes with it.`]: [
      `It is ${site.name}.`,
    ],
    'Write {discord}, so': [`Ask [us](${social.discord.link}).`],
  };
  const inFields = await checkTyped('question', [
    ['When"', 'Visitors would see When" as typed.'],
    ['Is [it](terms)?', 'Visitors would see [it](terms) as typed.'],
    ['TODO ask Anna?', 'Visitors would see TODO as typed.'],
  ]);
  it.each([...inFields, ...(await checkTyped('answer', list(cases)))])('%s', (_, said, found) =>
    expect(found).toEqual({ mistakes: [], warnings: [expect.stringContaining(said)] }),
  );
});

const sentences = [
  'import duties are yours to pay.',
  'export them\n\nexport const, {a: 1} and import x from y',
  'JSON uses { and }, such as { "a": 1 } or {a, b}. Type /give <item> or /give <a player>.',
  `Earn {11,000} XP in {${figures.deletionTime}} steps, or {85 %}.`,
  'Less than <5 days, at x < 3, <3, a<b, a<b>c and a < b > c.',
  'F*** that s**t. 2 * 3 * 4, M*A*S*H, an A* grade. It is free*, 5~10. It is not bold**.',
  'Type \\*not bold\\*, \\_not italic\\_, \\{app} and &lt;b&gt;.',
  'Where is __resource.lua or _G? Take `_source`, `<item>` and `{`, or set_name(). TODO is a comment, XX is 20.',
  'We are #1, with C:\\new files, C++, a|b, x^2, C# and .NET, @everyone, 24/7, ½ price and 4K@60, 50% or 100%.',
  'Yours,\n-Jo',
  'Is 2 ** 3 an 8? The [he]/she form, [mod]/supporters, [ESX] and [QB]. Run /kick [id] or /me waves (/help is one).',
  '| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 |',
  ' One\nand more\n\n- One\n  and more\n  > Two\n  > and more\n\n> Three\n> and more',
  '- **One**\n- *two*\n  - Three\n1. five\n\n1) One',
  'Ask <SupportEmail />, <SupportPhone/>, <PostalAddress /> or [our **own** Discord]({discord}).',
  'See [{app}](/), [it](#question-payouts), [a page](/privacy-policy/), [a file](/icon.svg), https://elsewhere.example/[x]/(y)_z?a=b_c*d, [mail](mailto:a@b.example) or [tel](tel:+15550142).',
  '![Photo 2 of the yard](/icon.svg) See [it](https://elsewhere.example/waitlist-preview).',
  'Q&A; R&D, points in [0, 1), a :] smile, I <3 mods >:( and 10:30:15. A -> B <- C. Had had 【重要】.',
  'ﷺ שלום 🎉 naïve “quotes” — and … more, 什么时候？',
  'Is it free? 100%! – “Yes” *and* no; a == b || c, x--, i++, C:\\ and ~20 [sic]. Where(?) ¯_(ツ)_/¯\n*Before tax.',
  '— Who is there?\n— Me.',
  '#general is the channel, +1 555, -5 °C, 3 - 2 = 1, 1. FC, a:b:c, 10:30, k[1][2] and ::1.',
  'See https://elsewhere.example/?id={id}&a==b. `[[`, `{player}`, `TODO:` and `||` are code. Todo: sleep.',
  '“**Bold**”: (*really*), ***both***, 5*, **A**&**B** and snake_case_name; $5, €5, 5¢, №5, §5, @me & co.',
];
const titles = [
  'Do R&B; and Q&A count?',
  'Where is __resource.lua, and what is _source?',
  'Is it “free”, or even “free: for all”?',
  'Is “she/her” or [sic]/other fine, if 3 > 2 (it is)?',
  'M*A*S*H, 2*3*4 and __init__.py?',
  'Does JSON use { and }?',
  'Когда? 什么时候？ 🎉',
];

describe.each([
  ['answer', sentences],
  ['question', titles.map((typed) => `'${typed}'`)],
  // Where crossed-out words would be refused.
  ['announcement', ['It takes 5~10 to 20~30 minutes. Type /join <username>.']],
] as const)('a correct sentence in a %s passes without a message:', async (place, all) => {
  const cases = all.map((typed) => [typed] as const);
  it.each(await checkTyped(place, cases))('%s', (_, found) =>
    expect(found).toEqual({ mistakes: [], warnings: [] }),
  );
});

it('whatever is typed into a field can be read by the build, or is reported', () => {
  const symbols = [...`:#'"[]{}&*!|>%@\`\\-?,=~<ab1. \t\n`, '\n  - ', '\nb: ', 'null', '2026-01-01'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...symbols), { maxLength: 9 }), (typed) => {
      const code = `---\nquestion: ${typed.join('')}\nb: c\n---\n`;
      const { fields, problems } = readSource(code);
      const isRefused = Object.entries(fields).some(
        ([name, value]) => !/^(question|b)$/.test(name) || typeof value !== 'string' || !value.trim(),
      );
      if (problems.length === 0 && !isRefused) expect(fields).toEqual(parseFrontmatter(code).frontmatter);
    }),
    { numRuns: 300 },
  );
});

const audience = /audience: \n( +- .*\n)+/;
const person = /(?<=audience: \n +)- .*/;
const words = /\n\n[^]*$/;

/** How an editor changes a file: a part of it, what replaces it, and the line and the message. */
const edits: [file: string, from: string | RegExp, to: string, said: string][] = [
  [payouts, '\n---\n', '\n—\n', ':1  The fields must be between two lines ---.'],
  [payouts, /^/, '    ', 'The first one must be the first line of the file, at its left edge.'],
  [payouts, 'question: ', 'question:\u00A0', ':3  There is an invisible character before the'],
  [payouts, 'order:', '# Ask Anna\norder:', ':2  A comment does not fit here. Delete it.'],
  [terms, /^updated: .*/m, 'updated: 31 February 2026', 'updated is not a day in the calendar'],
  [terms, /^updated: .*/m, 'updated: 25.11.2026', 'with the month in words. What belongs there'],
  [payouts, 'order:', 'In order\norder:', ':2  This line is not a field. A field begins at the left edge'],
  [hero, /tagline.*\n/, '', ':1  tagline is missing between the two lines ---. What belongs there'],
  [payouts, 'order:', 'color: red\norder:', ':2  Unknown field "color". The fields of this file are: order,'],
  [payouts, 'order:', 'order: 8\norder:', ':3  The field "order" appears twice. Remove one.'],
  [payouts, '904', '-1', ':2  order must be more than 0.'],
  [payouts, '904', 'fourth', ':2  order must be a number, such as 3'],
  ['content/features/sell.mdx', 'papers', 'paper', ':4  picture must be one of storefront'],
  [
    welcome,
    /nextDropLink: .*/,
    'nextDropLink: /#question-scripts',
    ' The page / has no section #question-scripts.',
  ],
  [welcome, /nextDropLink: .*/, 'nextDropLink: question-scripts', ' nextDropLink must begin with /.'],
  [welcome, /subject: .*/, 'subject: Hi %name%', ':2  Visitors would see %name% as typed. Every'],
  [creators, audience, 'audience:\n', ':4  audience is empty'],
  [creators, audience, 'audience:\n  -Modders\n', ':5  This line is not a field.'],
  [creators, audience, 'audience: Modders\n', ':4  audience must be a list: one line for each'],
  [
    payouts,
    'can',
    'fÃ¼r',
    ':6  Visitors would see strange letters. Delete them, type what is missing, and save the file as',
  ],
  [payouts, 'What', '\uF0B7 What', ':3  Visitors would see strange letters.'],
  [payouts, words, '\n\n<<<<<<< HEAD\nYes.\n=======\nNo.\n>>>>>>> b\n', ':6  Two people changed this'],
  [payouts, words, '\n\nYes.\n=======\nNo.\n', ':7  Two people changed this place.'],
  [payouts, words, '\n\nYes.\n>>>>>>> b\n', ':7  Two people changed this place.'],
  [hero, /\n$/, '\nHello\n', ':9  No page shows text from this file. Remove everything below the fields.'],
  [payouts, /You.*\n/, '', ':6  There is no text below the fields. Add it.'],
  [article, words, '\n\n# When\n', 'This heading must begin with ## and a space.'],
  [article, words, '\n\n## When\n\n#### At night\n', 'This heading must begin with ### and a space.'],
  [terms, words, '\n\nWords.\n', ':1  The text must mention {minimumAge}, {'],
  ['content/legal/privacy-policy.mdx', words, '\n\nWords.\n', '<SupportEmail />, Supabase, Resend.'],
  [message, '[A](/)', 'Words.', 'A message has one button'],
  [message, '[A]', `[${'Open '.repeat(9)}]`, 'with at most 30 characters'],
  ['src/config/site.ts', /minimumAge: '.*'/, 'minimumAge: 16', ' minimumAge must have words between'],
  ['src/config/site.ts', "link: 'https://", "link: '", ' link must begin with https://.'],
  ['src/config/site.ts', 'freeShare:', 'share:', ':1  Texts need {freeShare}, but there is no such fact.'],
  ['src/config/site.ts', /name = '.*'/, "name = ''", ' name must have words between quotes.'],
  ['src/config/site.ts', /freeShare: '.*'/, "freeShare: 'most'", ' freeShare must be a percentage, such'],
];

it.for(edits)('a mistake is reported in %s: %s → %j', async ([file, from, to, said], { copy }) => {
  copy.edit(file, from, to);
  const { mistakes } = await copy.check();
  expect(mistakes).toEqual([expect.stringContaining(file)]);
  expect(mistakes.join()).toContain(said);
});

it('a mistake hides no other, and makes nothing wrong that is right', async ({ copy }) => {
  copy.edit(payouts, 'question: ', 'question: Now: ');
  copy.edit(payouts, /^/, '\n');
  copy.edit(payouts, words, '\n\nSee [us](/about#us), keep {freeshare}, or get [help](/suport).\n');
  copy.edit('content/pages/about.mdx', '---', '—');
  copy.edit(creators, person, '- Modders\n  - Coders: all');
  copy.edit(creators, /(?<=zip: \n +)- .*/, `- ${'Script '.repeat(30)}`);
  copy.write('content/notes.txt', 'Notes');
  copy.write(`${payouts}~`, 'What a text editor has saved');
  copy.delete('content/sections/banner.mdx');
  expect((await copy.check()).mistakes).toEqual([
    expect.stringContaining(`${payouts}:4  Symbols have`),
    expect.stringContaining(`${payouts}:7  Visitors would see {freeshare}`),
    expect.stringContaining(`${payouts}:7  There is no page /suport.`),
    'content/notes.txt:1  No page shows this file. A new page, section or language needs a programmer.',
    expect.stringContaining('content/pages/about.mdx:1  The fields must be between'),
    'content/sections/banner.mdx:1  The page needs this file, but it is missing. Restore it.',
    expect.stringContaining(`${creators}:6  Symbols have a special meaning there. Put all`),
    expect.stringContaining(`${creators}:9  zip, line 1 is longer than`),
  ]);
});

it('a link may lead to a heading, even if another page has the same one', async ({ copy }) => {
  for (const file of [article, 'content/pages/about.mdx'])
    copy.edit(file, /$/, '\n## Größe\n\nSee [it](#größe), or [as a browser copies it](#gr%C3%B6%C3%9Fe).\n');
  expect((await copy.check()).mistakes).toEqual([]);
});

/** The name that an editor gives a file, and the message. */
const names: [from: string, to: string, said: string][] = [
  [payouts, 'content/faq/Réponse (1).mdx', 'Did you mean content/faq/reponse-1.mdx? Use lowercase'],
  [payouts, 'content/faq/IMG_1.JPG', 'No page shows this file. Pictures belong in public/.'],
  [payouts, 'content/perks/payouts.mdx', 'Does the file belong in content/faq/ or content/support-faq/?'],
  [message, 'content/pages/news.mdx', 'A new page, section or language needs a programmer.'],
  [hero, 'content/sections/Hero.mdx', 'Did you mean content/sections/hero.mdx?'],
  [hero, 'content/blog/hero.mdx', 'Did you mean content/sections/hero.mdx?'],
];

describe('a file with a wrong name or in a wrong folder is reported once:', () => {
  it.for(names)('%s → %s', async ([from, to, said], { copy }) => {
    copy.rename(from, to);
    const { mistakes } = await copy.check();
    expect(mistakes).toEqual([expect.stringContaining(`${to}:`)]);
    expect(mistakes.join()).toContain(said);
  });

  it('also when it is the whole folder, and when it is missing', async ({ copy }) => {
    copy.rename('content/perks', 'content/Perks');
    expect((await copy.check()).mistakes).toEqual([
      expect.stringContaining('mean content/perks/item-1.mdx?'),
    ]);
    copy.rename('content/Perks', 'content/perks');
    copy.delete(hero);
    copy.delete('content/perks');
    expect((await copy.check()).mistakes).toEqual([
      'content/perks/:1  The folder needs at least one file.',
      `${hero}:1  The page needs this file, but it is missing. Restore it.`,
    ]);
  });
});

it('a file in another encoding is reported', async ({ copy }) => {
  const right = '---\norder: 1\nquestion: Für?\n---\n\nYes.';
  const said =
    'Visitors would see strange letters. Delete them, type what is missing, and save the file as UTF-8.';
  copy.write(payouts, Buffer.from(`\uFEFF${right}`, 'utf16le'));
  expect((await copy.check()).mistakes).toEqual([`${payouts}:1  ${said}`]);
  copy.write(payouts, Buffer.from(right, 'latin1'));
  expect((await copy.check()).mistakes).toEqual([`${payouts}:3  ${said}`]);
});

it('a picture that browsers do not show, or that is too heavy, is reported with what to do', async ({
  copy,
}) => {
  const plain = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
  const avif = await plain.avif().toBuffer();
  // The same container, with another brand: https://en.wikipedia.org/wiki/High_Efficiency_Image_File_Format
  const heic = Buffer.from(avif.toString('latin1').replaceAll('avif', 'heic'), 'latin1');
  const damaged = 'is damaged, or a format that most browsers cannot show. Export it as JPEG.';
  const pictures: [name: string, bytes: Buffer | string, said?: string][] = [
    ['renamed.jpg', heic, damaged],
    ['yard.tiff', await plain.tiff().toBuffer(), damaged],
    ['heavy.jpg', Buffer.alloc(9e6, await plain.jpeg().toBuffer()), 'has 9,000 KB. Make it at most 500 KB.'],
    ['yard.jpg', await plain.jpeg().toBuffer()],
    ['größe.png', await plain.png().toBuffer()],
    ['yard.webp', await plain.webp().toBuffer()],
    ['yard.avif', avif],
  ];
  for (const [name, bytes] of pictures) copy.write(`public/${name}`, Buffer.from(bytes));
  copy.edit(payouts, words, `\n\n${pictures.map(([name]) => `![A yard](/${name})`).join('\n\n')}\n`);
  expect((await copy.check()).mistakes).toEqual(
    pictures.flatMap(([name, , said], index) => (said ? `${payouts}:${6 + 2 * index}  ${name} ${said}` : [])),
  );
});
