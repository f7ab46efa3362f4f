import { describe, expect, it } from 'vitest';
import { figures, site, social } from '~/site.ts';
import { checkFiles, ContentCopy, payouts } from './content-copy.ts';

const link = 'Write a link as [words](/address)';
const star = 'It has no partner. Bold is **bold**';
const listLine = 'Begin each item of a list with a hyphen and a space';

/** What an editor writes as a paragraph of an answer, and the message for it. */
const mistakes: [typed: string, said: string][] = [
  // Links that Markdown does not see.
  ['See [here] (/support).', `Visitors would see [here] (/support) as typed. ${link}`],
  ['[here](/support', link],
  ['[here](https://x elsewhere.example)', link],
  ['(here)[https://elsewhere.example]', link],
  ['[here][support]', link],
  ['[Help] [/support]', link],
  ['[Help(/support)', link],
  ['[[support]]', link],
  ['{Help}(/support)', link],
  ['[Help]/support', link],
  ['Help(/support)', link],
  ['[Help](/support)(/about)', link],
  ['[Help]https://elsewhere.example', link],
  ['[Help]: /support', 'Write an address beside its words: [words](/address).'],
  ['[Help][1]\n\n[1]: /support', 'Write an address beside its words'],
  [
    '![A yard](/my yard.png)',
    'Write a picture as ![what it shows](/file.png), without spaces in the address.',
  ],
  ['![A yard]', 'Write a picture as ![what it shows](/file.png)'],
  ['<https://elsewhere.example>', 'without < and >.'],
  ['<me@elsewhere.example>', 'without < and >.'],
  // Bold, italic and other signs.
  ['It is ** not bold**.', `Visitors would see bold** as typed. ${star}`],
  ['It is **not bold.', `Visitors would see **not as typed. ${star}`],
  ['It is **not bold*.', star],
  ['It is not bold**.', star],
  ['It is *bold.', star],
  ['It is * bold * now.', star],
  ['*Not bold.', star],
  ['Terms apply*.', 'A note begins with its star.'],
  ['Terms apply*.\n\n* Not always.', 'A note begins with its star.'],
  ['**When:**now', 'Put a space after the bold or italic words: **Words:** more.'],
  ['__Bold words.', 'Visitors would see __Bold as typed. It has no partner.'],
  ['It is _italic.', 'a name with such a sign is `_name`.'],
  ['Italic_ words.', 'Visitors would see Italic_ as typed.'],
  ['It is __ bold __ now.', 'It has no partner.'],
  ['It is `not code.', 'Visitors would see `not as typed. It has no partner. Remove it.'],
  ['It is ~~wrong.', 'It has no partner. Remove it.'],
  ['It is ==marked== here.', 'Visitors would see ==marked== as typed. Remove the signs.'],
  ['It is ||hidden|| here.', 'Remove the signs.'],
  ['The 1^st^ and x^sup^.', 'Visitors would see ^st^ as typed. Remove the signs.'],
  ['Ask <@!12345>, <:smile:12> or <t:12:R>.', 'Visitors would see <@!12345> as typed. Remove it.'],
  ['It is [b]bold[/b].', 'Remove the square brackets and their words.'],
  ['> [!NOTE]', 'Remove the square brackets and their words.'],
  ['Paid :money_bag: at once.', 'Visitors would see :money_bag: as typed. Type the emoji itself.'],
  ['Soon&hellip', 'Visitors would see &hellip as typed. Type the sign itself.'],
  ['Paid&nbps;at once.', 'Visitors would see &nbps; as typed. Type the sign itself.'],
  ['Paid at once.\\n', 'Visitors would see \\n as typed. Remove it.'],
  ['// note', 'Remove it.'],
  ['<!-- note -->', 'Remove it.'],
  ["import x from './x'", 'Remove it.'],
  ['```\nnot code', 'Visitors would see this as code. Remove the backticks ```.'],
  // Headings, lists and tables.
  [
    '##When',
    'Visitors would see ##When as typed. Write a heading as ## Heading, with a space after the # signs.',
  ],
  ['## When', '"When" is a heading, and this text is too short for one. Make it **bold** instead.'],
  ['When\n---', '"When" is a heading'],
  ['-Scripts\n-Mods', `Visitors would see -Mods as typed. ${listLine}`],
  ['• Scripts\n• Mods', listLine],
  ['1.Scripts\n2.Mods', listLine],
  ['- Scripts\n- Mods\n-Maps', `Visitors would see -Maps as typed. ${listLine}`],
  ['- \n- Mods', 'This line of a list has no words.'],
  ['- [ ] Mods', 'Visitors would see a box to tick. Remove [ ] or [x].'],
  ['A | B\n1 | 2', 'Visitors would see A | B as typed. A table needs a second line of hyphens'],
  ['| A | B |\n| 1 | 2 |', 'A table needs a second line of hyphens, | --- | --- |'],
  // Facts.
  ['Within {payTime}.', 'Visitors would see {payTime} as typed. Did you mean {payoutTime}?'],
  ['Within {pay time}.', 'Did you mean {payoutTime}?'],
  ['Within {}.', 'Visitors would see {} as typed. Curly brackets contain the name of a fact: {app}'],
  ['[Help](/support){target=_blank}', 'Curly brackets contain the name of a fact'],
  ['Within {1+1}.', 'Curly brackets contain the name of a fact'],
  ['{/* note */}', 'Curly brackets contain the name of a fact'],
  ['Within {payoutTime.', 'payoutTime does not work. Write {payoutTime}.'],
  ['Within app}.', 'app} does not work. Write {app}.'],
  ['Within {{payoutTime}}.', '{{payoutTime}} does not work. Write {payoutTime}.'],
  ['Within `{payoutTime}`.', '`{payoutTime}` does not work. Write {payoutTime}.'],
  ['Within ${payoutTime}.', '${payoutTime} does not work. Write {payoutTime}.'],
  // Values of facts.
  [
    `You keep ${figures.freeShare} of it.`,
    `"${figures.freeShare}" is a fact of the whole site. Write {freeShare} instead. If you mean another figure, write {${figures.freeShare}}.`,
  ],
  ['You keep 85 % of it.', 'Write {freeShare} instead. If you mean another figure, write {85 %}.'],
  ['You keep 85 percent of it.', 'Write {freeShare} instead.'],
  ['It takes 2–3 business days.', 'Write {payoutTime} instead.'],
  ['We answer within 24 to 48 hours.', 'Write {emailResponseTime} instead.'],
  ['It has a 30-day limit.', 'Write {deletionTime} instead. If you mean another figure, write {30-day}.'],
  ['Earn 1,000 XP for a drop.', 'If you mean another figure, write {1,000}.'],
  ['The first 1000 get in.', 'Write {firstCreators} instead.'],
  [site.independenceNotice, 'Write {independenceNotice} instead.'],
  [`It is ${site.name}.`, `"${site.name}" is a fact of the whole site. Write {app} instead.`],
  [`Ask [us](${social.discord.link}).`, 'Write <DiscordLink>words</DiscordLink> in a text instead.'],
  ['Write to support@dropyard.example.', 'Write <SupportEmail /> in a text instead.'],
  // Tags.
  ...['<SupportEmail>', '</SupportEmail>', '<SupportEmail', '< SupportEmail />', '<SupportEmail to="x" />']
    .concat('<SupportEmail></SupportEmail>', '{<SupportEmail />}', '{SupportEmail}', '[SupportEmail]')
    .map((typed): [string, string] => [`Ask ${typed}.`, 'does not work. Write <SupportEmail />.']),
  ...['<DiscordLink href="x">us</DiscordLink>', '<DiscordLink />', '<DiscordLink>us<DiscordLink/>'].map(
    (typed): [string, string] => [`Ask ${typed}.`, 'does not work. Write <DiscordLink>words</DiscordLink>.'],
  ),
  ...['<DiscordLink>us', 'us</DiscordLink>', '<DiscordLink>us<DiscordLink>'].map(
    (typed): [string, string] => [`Ask ${typed}.`, 'Did you mean <DiscordLink>words</DiscordLink>?'],
  ),
  ['Ask <supportemail />.', 'Did you mean <SupportEmail />?'],
  ['Ask <Support Email />.', 'Did you mean <SupportEmail />?'],
  ['One.<br>Two.', 'Visitors would see <br> as typed. Leave an empty line for a new paragraph.'],
  ['It is <b>bold</b>.', 'Visitors would see <b> as typed. Write **bold**.'],
  ['It is <em>so</em>.', 'Visitors would see <em> as typed. Write *italic*.'],
  [
    '<a href="/support">Help</a>',
    'Visitors would see <a href="/support"> as typed. Write [words](/address).',
  ],
  ['<img src="/icon.svg">', 'Write ![what it shows](/file.png).'],
  ['<ul><li>Mods</li></ul>', 'Begin each line of a list with a hyphen and a space.'],
  ['It is <Blink>bold</Blink>.', 'Visitors would see <Blink> as typed. Remove it, or put it in backticks.'],
  ['<script>alert(1)</script>', 'Remove it, or put it in backticks.'],
  ['[<SupportEmail />](/support)', 'A link cannot contain another link or a contact.'],
  ['<DiscordLink>[us](/about)</DiscordLink>', 'A link cannot contain another link or a contact.'],
  ['Ask on <DiscordLink> </DiscordLink>.', 'A link has no words.'],
  // Addresses.
  ['[](/support)', 'A link has no words.'],
  ['[Help]()', 'The link has no address. Write [words](/address).'],
  ['[Help](/suport)', 'There is no page /suport. Did you mean /support?'],
  ['[Help](/Support)', 'Did you mean /support?'],
  ['[Help](/about.html)', 'Did you mean /about?'],
  ['[Help](../about.mdx)', 'Did you mean /about?'],
  ['[Help](/faq)', 'There is no page /faq. Did you mean /#faq?'],
  ['[Help](/nowhere-at-all)', 'An address begins with https://, mailto: or tel:, or is one of /'],
  ['[There](/#a-known-headin)', 'The page / has no place #a-known-headin. Did you mean #a-known-heading?'],
  ['[Up](#question-payout)', 'Did you mean #question-payouts?'],
  ['[Help](support)', 'support is not a full address. Did you mean /support?'],
  ['[Them](www.elsewhere.example)', 'www.elsewhere.example is not a full address. Write https:// in front'],
  ['See www.elsewhere.example.', 'Write https:// in front of it.'],
  ['[Them](discord.gg/x)', 'Write https:// in front of it.'],
  ['[Them](http://elsewhere.example)', 'is not encrypted. Write https:// instead of http://.'],
  ['[Them](https://elsewhere)', 'https://elsewhere is not a full address.'],
  ['[Them](//elsewhere.example)', '//elsewhere.example'],
  ['[Run](javascript:alert)', 'javascript:alert is not a full address.'],
  ['[Us](me@elsewhere.example)', 'Write mailto: in front of it.'],
  ['[Call](+15550142)', 'Write tel: in front of it.'],
  // Pictures.
  ['![](/icon.svg)', 'The picture has no description'],
  ['![A shop](/shop.png)', 'There is no picture /shop.png. Put it into public/'],
  ['![Our sign](icon.svg)', 'Did you mean /icon.svg?'],
  ['![Our sign](../public/icon.svg)', 'Did you mean /icon.svg?'],
  ['![A shop](https://elsewhere.example/shop.png)', 'A picture from another server would tell'],
];

const correct = [
  'import duties are yours to pay.',
  'export = sale, in our words.',
  'Earn 11,000 XP in 130 days, or $1,000 in 1,000,000.',
  `Earn {${figures.firstCreators}} XP, {${figures.freeShare}} of them in {30-day} steps, or {85 %}.`,
  'You pay 30 euros in 130 days (or 30). It is 85.5%.',
  'Less than <5 days, at x < 3, <3, a<b, a<b>c and a < b > c.',
  'A bracket } alone, [one] more, the [he]/she form and a # sign.',
  'F***, s**t, f**k and sh** are no bold words. 2 * 3 * 4, M*A*S*H, an A* grade.',
  'Where is __resource.lua or _G? Take `_source`, `<item>` and `{`, or set_name().',
  'Terms apply*. Write stream/* or the 4.5* shop.\n\n*Not always.',
  'Keep {freeShare}* of a “sale”*, where a==b==c.\n\n*Before tax.',
  'Free* for all**.\n\n*Almost.\n\n**Not you.',
  'We are #1, with C:\\new files, C++, a|b, 1 || 2 and x^2 + y^2.',
  '-Jo',
  'Yours,\n-Jo',
  'Wow! [Click](/support) at 10:30:15, in the script (/support is one) or at A | B.',
  '| A | B |\n| --- | --- |\n| 1 | 2 |',
  '- **One**\n- *two*\n  - Three\n    - Four\n1. five\n\n1) One\n2) Two',
  'Ask <SupportEmail />, <SupportPhone/> or <PostalAddress />.\n<DiscordLink>Our **own** Discord</DiscordLink>.',
  'Q&A; R&D, no more.',
  'https://elsewhere.example and me@elsewhere.example,\nor us.',
  '***Both***, *[linked](/support)* and [**bold**](/about).',
  'ﷺ שלום 🎉 naïve “quotes” — and … more',
];

const checkAll = (texts: string[]) =>
  checkFiles(
    'content/faq',
    (typed, index) => {
      return `---\norder: ${index + 10}\nquestion: What is ${index}?\n---\n\nYou can wait for it.\n\n${typed}\n`;
    },
    texts,
  );

describe('a mistake in a text is reported once, with its line and what to do:', () => {
  const found = checkAll(mistakes.map(([typed]) => typed));
  it.each(mistakes.map((one, index) => [...one, found[index]!] as const))('%s', (typed, said, messages) => {
    expect(messages).toEqual([expect.stringContaining(said)]);
    expect(typed.split('\n').length).toBeGreaterThan(Number.parseInt(messages[0]!) - 8);
  });

  it('in the line where it is', () => {
    const inOne = 'Ask\nat me@elsewhere.example,\\\nor *us* and\n{nothing}, or\n<DiscordLink>them.';
    const inTwo = '**Not bold.\n\nNot bold**.';
    expect(checkAll([inOne, inTwo])).toEqual([
      [
        expect.stringMatching(/^11 {2}Visitors would see \{nothing\}/),
        expect.stringMatching(/^12 {2}Visitors would see <DiscordLink>/),
      ],
      [expect.stringMatching(/^8 {2}/), expect.stringMatching(/^10 {2}/)],
    ]);
  });
});

describe('a correct text passes:', () => {
  const found = checkAll(correct);
  it.each(correct.map((typed, index) => [typed, found[index]] as const))('%s', (_, messages) =>
    expect(messages).toEqual([]),
  );

  it('with links to pages, places, questions, files and other sites', () => {
    const copy = new ContentCopy();
    copy.write('public/our words.txt', '');
    const urls = [
      ...[
        '/',
        '/about',
        '/support/',
        '/about?from=faq',
        '/#faq',
        '/#question-ownership',
        '/#a-known-heading',
      ],
      ...['#top', '/icon.svg', '/terms-of-use#main', '/our%20words.txt', '/welcome/jo'],
      ...['https://elsewhere.example', 'mailto:a@b.example', 'tel:+15550142'],
    ];
    copy.add(payouts, [...urls.map((url) => `[There](${url})`), '![The logo](/icon.svg)'].join('\n'));
    expect(copy.findMistakes()).toEqual([]);
    copy.remove();
  });
});
