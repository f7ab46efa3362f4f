import { beforeAll, describe, expect, it } from 'vitest';
import { figures, site, social } from '~/site.ts';
import { checkAnswers, followAdvice } from './content-copy.ts';

const star = 'The matching star is missing. Bold is **bold**';
const listLine = 'Begin each item of a list with a hyphen and a space';

/** What an editor writes as a paragraph of an answer, and the message for it. */
const mistakes: [typed: string, said: string][] = [
  // Bold, italic and other symbols.
  ['It is ** not bold**.', `Visitors would see bold** as typed. ${star}`],
  ['It is **not bold.', `Visitors would see **not as typed. ${star}`],
  ['It is **not bold*.', star],
  ['It is not bold**.', star],
  ['It is *bold.', star],
  ['It is * bold * now.', star],
  ['It is *** very *** good.', 'To show it, write \\*\\*\\* very \\*\\*\\*.'],
  ['**Note: **Words', 'Visitors would see **Note: ** as typed.'],
  ['*Not bold.', star],
  ['Now:\n**Not bold.', star],
  ['Terms apply*.', 'A footnote begins with its star.'],
  ['Terms apply*.\n\n* Not always.', 'A footnote begins with its star.'],
  ['**When:**now', 'Put a space after the bold or italic words: **Words:** more.'],
  ['__Bold words.', 'Visitors would see __Bold as typed. The matching underscore is missing.'],
  ['It is _italic.', 'a name with an underscore is `_name`.'],
  ['Italic_ words.', 'Visitors would see Italic_ as typed.'],
  ['It is __ bold __ now.', 'The matching underscore is missing.'],
  [
    'It is `not code.',
    'Visitors would see `not as typed. The matching character is missing. Remove this one.',
  ],
  ['It is ~~wrong.', 'The matching character is missing. Remove this one.'],
  ['It is ==marked== here.', 'Visitors would see ==marked== as typed. Remove the symbols.'],
  ['It is ||hidden|| here.', 'Remove the symbols.'],
  ['The 1^st^ of them.', 'Visitors would see ^st^ as typed. Remove the symbols.'],
  ['The x^2^ of it.', 'Visitors would see ^2^ as typed. Remove the symbols.'],
  ['Ask <@!12345>.', 'Visitors would see <@!12345> as typed. Remove it.'],
  ['So <:smile:12>.', 'Visitors would see <:smile:12> as typed. Remove it.'],
  ['On <t:12:R>.', 'Visitors would see <t:12:R> as typed. Remove it.'],
  ['It is [b]bold[/b].', 'Remove the square brackets and the words inside.'],
  ['> [!NOTE]', 'Remove the square brackets and the words inside.'],
  ['Paid :money_bag: at once.', 'Visitors would see :money_bag: as typed. Type the emoji itself.'],
  ['Soon&hellip', 'Visitors would see &hellip as typed. Type the character itself.'],
  ['Paid&nbps;at once.', 'Visitors would see &nbps; as typed. Type the character itself.'],
  ['Paid at once.\\n', 'Visitors would see \\n as typed. Remove it.'],
  ['// note', 'Remove it.'],
  ['-# note', 'Remove it.'],
  ['Now:\n// note', 'Visitors would see // note as typed. Remove it.'],
  ['Hi %%name%%.', 'Remove it. To show it, put it in backticks.'],
  ['Hi %name.first%.', 'Remove it. To show it, put it in backticks.'],
  ['[TOC]', 'Remove the square brackets'],
  ['Write] to us.', 'Visitors would see Write] as typed. The matching bracket is missing.'],
  ['Write [to us.', 'Visitors would see [to as typed. The matching bracket is missing.'],
  ['Write [to us（/support）.', 'Visitors would see [to as typed. The matching bracket is missing.'],
  ['[ ] Mods', 'Visitors would see [ ] as typed. Remove it. To show it, put it in backticks.'],
  ['Now:\n[x] Mods', 'Visitors would see [x] as typed. Remove it.'],
  ['[X] Mods', 'Visitors would see [X] as typed. Remove it.'],
  ['[] Mods', 'Visitors would see [] as typed. Remove it.'],
  ['<!-- note -->', 'Remove it.'],
  ["import x from './x'", 'Remove it.'],
  ['```\nnot code', 'Visitors would see this as code. Remove the backticks ```.'],
  // Symbols that disappear.
  ['M*A*S*H is on.', 'Visitors would not see the symbols in M*A*S*H. Write M\\*A\\*S\\*H.'],
  ['It is 2*3*4*5*6 long.', 'Write 2\\*3\\*4\\*5\\*6.'],
  ['Oh s**t and f**k.', 'Write s\\*\\*t and f\\*\\*k.'],
  ['Oh sh*t and f*ck it.', 'Write sh\\*t and f\\*ck.'],
  ['From 5~10 to 20~30.', 'Write 5\\~10 to 20\\~30.'],
  // Notes and gaps.
  ...[
    'TODO: more.',
    '- FIXME: wrong',
    'One. XXX: ask Jo.',
    'TODO',
    'Now:\nTODO',
    'Now:\nTODO write this.',
    'TODO write this.',
    'One (TODO check this).',
    '[TODO]',
    'TBD: price',
    'TBD',
    '- TK',
    'todo: write this.',
  ]
    .concat(
      'Hi [First name],',
      'Hi [your name],',
      'Hi [INSERT NAME HERE],',
      'See [LINK].',
      'See [link to come].',
      'TODO(jo): more.',
      'On [date].',
      '[TBD]',
    )
    .concat('Lorem ipsum', 'One. Lorem ipsum dolor sit amet.', 'Keep XX% of it.', 'It is $XX.')
    .map((typed): [string, string] => [typed, 'Write the real words. To show it, put it in backticks.']),
  // Headings, lists and tables.
  [
    '##When',
    'Visitors would see ##When as typed. Write a heading as ## Heading, with a space after the # signs.',
  ],
  ['Now:\n##When', 'Visitors would see ##When as typed.'],
  ['## When', '"When" is a heading, and this text is too short for one. Make it **bold** instead.'],
  ['When\n---', '"When" is a heading'],
  ['---', 'A line across the text does not fit here. Remove it.'],
  ['-Scripts\n-Mods', `Visitors would see -Mods as typed. ${listLine}`],
  ['• Scripts\n• Mods', listLine],
  ['1.Scripts\n2.Mods', listLine],
  ['- Scripts\n- Mods\n-Maps', `Visitors would see -Maps as typed. ${listLine}`],
  ['- \n- Mods', 'This list item has no words.'],
  ['- [ ] Mods', 'Visitors would see a checkbox. Remove [ ] or [x].'],
  ['§ Scripts\n§ Mods\n§ Maps', listLine],
  ['o\tScripts\no\tMods', listLine],
  ['-- Scripts\n-- Mods', listLine],
  ['✓ Scripts\n✓ Mods', listLine],
  ['a. Scripts\nb. Mods', listLine],
  ['-\u00A0Scripts\n-\u00A0Mods', listLine],
  ['A\tB\n1\t2\n3\t4', 'A table needs a second line of hyphens'],
  ['A | B\n1 | 2', 'Visitors would see A | B as typed. A table needs a second line of hyphens'],
  ['Now:\n| A | B |\n| 1 | 2 |', 'Visitors would see | A | B | as typed. A table needs'],
  ['| A | B |\n| 1 | 2 |', 'A table needs a second line of hyphens, | --- | --- |'],
  // Facts.
  ['Within {payTime}.', 'Visitors would see {payTime} as typed. Did you mean {payoutTime}?'],
  ['Within {pay time}.', 'Did you mean {payoutTime}?'],
  ['Within {}.', 'Visitors would see {} as typed. Curly brackets must contain the name of a fact: {app}'],
  ['Write { return } here.', 'To show it, put it in backticks.'],
  ['[Help](/support){target=_blank}', 'Curly brackets must contain the name of a fact'],
  ['Ask {<SupportEmail />}.', 'Visitors would see {} as typed. Curly brackets must contain the name'],
  ['Within {1+1}.', 'Curly brackets must contain the name of a fact'],
  ['{/* note */}', 'Curly brackets must contain the name of a fact'],
  ['Within {payoutTime.', 'payoutTime does not work. Write {payoutTime}.'],
  ['Within app}.', 'app} does not work. Write {app}.'],
  ['Within {{payoutTime}}.', '{{payoutTime}} does not work. Write {payoutTime}.'],
  ['Within `{payoutTime}`.', '`{payoutTime}` does not work. Write {payoutTime}.'],
  ['Within ${payoutTime}.', '${payoutTime} does not work. Write {payoutTime}.'],
  ['Gone in {deletionTime} days.', '{deletionTime} days says "days" twice. Write {deletionTime}.'],
  ['Paid in {payoutTime}s.', '{payoutTime}s says "s" twice. Write {payoutTime}.'],
  ['Paid in {payoutTime} business days.', 'says "business" twice. Write {payoutTime}.'],
  ['Keep {freeShare} % of it.', '{freeShare} % says "%" twice. Write {freeShare}.'],
  ['Keep {freeShare} percent of it.', '{freeShare} percent says "percent" twice. Write {freeShare}.'],
  ['Keep {premiumShare} per cent.', '{premiumShare} per cent says "per cent" twice. Write {premiumShare}.'],
  ['Hi {{ name | default: "you" }},', 'Visitors would see {{ name | default: "you" }} as typed.'],
  // Values of facts.
  [
    `You keep ${figures.freeShare} of it.`,
    `"${figures.freeShare}" is defined once for the whole site. Write {freeShare} instead. If you mean another figure, write {${figures.freeShare}}.`,
  ],
  ['You keep 85 % of it.', 'Write {freeShare} instead. If you mean another figure, write {85 %}.'],
  ['You keep 85 percent of it.', 'Write {freeShare} instead.'],
  ['It takes 2–3 business days.', 'Write {payoutTime} instead.'],
  ['We answer within 24 to 48 hours.', 'Write {emailResponseTime} instead.'],
  ['It takes 2 to 3 working days.', 'Write {payoutTime} instead.'],
  ['It takes 2/3 business days.', 'If you mean another figure, write {2/3 business days}.'],
  ['Keep up to 90 per-cent.', 'Write {premiumShare} instead.'],
  ['Be 18 or over.', 'Write {minimumAge} or older instead. If you mean another figure, write {18 or over}.'],
  ['We answer in 24-48h.', 'If you mean another figure, write {24-48h}.'],
  ['Be 18 years old.', 'Write {minimumAge} years instead. If you mean another figure, write {18 years}.'],
  ['You must be 18+ here.', 'Write {minimumAge}+ instead. If you mean another figure, write {18+}.'],
  ['It has a 30-day limit.', 'Write {deletionTime} instead. If you mean another figure, write {30-day}.'],
  ['Earn 1,000 XP for a drop.', 'If you mean another figure, write {1,000}.'],
  ['The first 1000 get in.', 'Write {firstCreators} instead.'],
  [site.independenceNotice, 'Write {independenceNotice} instead.'],
  [`It is ${site.name}.`, `"${site.name}" is defined once for the whole site. Write {app} instead.`],
  [`Ask [us](${social.discord.link}).`, 'Write <DiscordLink>words</DiscordLink> in a text instead.'],
  ['Write to support@dropyard.example.', 'Write <SupportEmail /> in a text instead.'],
];

const correct = [
  'import duties are yours to pay.',
  'export = sale, in our words.',
  'Earn 11,000 XP in 130 days, or $1,000 in 1,000,000.',
  `Earn {${figures.firstCreators}} XP, {${figures.freeShare}} of them in {30-day} steps, or {85 %}.`,
  'You pay 30 euros in 130 days (or 30). It is 85.5%.',
  'Less than <5 days, at x < 3, <3, a<b, a<b>c and a < b > c.',
  'A bracket } alone, [one] more, the [he]/she form, [mod]/supporters and a # sign.',
  'F***, s**t and sh** are no bold words. 2 * 3 * 4, M\\*A\\*S\\*H, un*believ*able, an A* grade.',
  'Type \\*not bold\\* and \\_not italic\\_ for symbols that visitors see.',
  '[{app}](/), [Open {app}](/) and {app}.',
  '→ One\\\n→ Two  \n→ Three',
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
  'Ask <SupportEmail />, <SupportPhone/> or <PostalAddress />.\n<DiscordLink>Our **own** Discord</DiscordLink> and <DiscordLink>this</DiscordLink>.',
  'Q&A; R&D, no more.',
  'Points in [0, 1) and a :] smile.',
  'https://elsewhere.example and me@elsewhere.example,\nor us.',
  '***Both***, *[linked](/support)* and [**bold**](/about).',
  'TODO add-ons are on the TODO list, [x] marks them, price TBD (or TBA), the TK server and todo lists: “lorem ipsum” fills a template. No XXX content, size XXL.',
  'Lorem ipsum texts are no drops.',
  'Run /kick [name] or /me waves, tag it [ESX] or [QB], use %localappdata%, over https: or HTTP/2.',
  'I <3 mods >:( ;-) \\o/ ^^ and you? x > 3, a<b or b>a, A -> B <- C <-> D.',
  'C#, F# and .NET, @everyone, 24/7, 50/50, ½ price, №5, ±3, 4K@60, v1.0.0-beta+2, ~5 to ~10 minutes.',
  'We have eighteen years of experience, thirty days each, and keep eighty-five percent of the first thousand.',
  'Be 18, pay 2 or 3 days later, in 24 hours or 48 hours, {18+} or {30 days}.',
  'See https://elsewhere.example/[x]/(y)_z?a=b_c*d.',
  'Write `{ return }`, `TODO:`, `[LINK]`, `<b>` and `https://`.',
  'ﷺ שלום 🎉 naïve “quotes” — and … more',
];

describe('a mistake in a text is reported once, with its line and what to do:', () => {
  const found = checkAnswers(mistakes.map(([typed]) => typed));
  it.each(mistakes.map((one, index) => [...one, found[index]!] as const))('%s', (typed, said, messages) => {
    expect(messages).toEqual([expect.stringContaining(said)]);
    expect(typed.split('\n').length).toBeGreaterThan(Number.parseInt(messages[0]!) - 8);
  });

  describe('and is gone', () => {
    let done: ReturnType<typeof followAdvice>;
    beforeAll(() => {
      // The message about a tag in brackets shows the brackets only.
      done = followAdvice(mistakes.map(([typed]) => typed).filter((typed) => !typed.includes('{<')));
    }, 120_000);
    it('after doing what the message suggests', () => expect(done.wrong).toEqual([]));
    it('in each of the ways', () =>
      expect(done.followed).toEqual(['backticks', 'backslashes', 'another', 'correction']));
  });

  it('when a symbol and a tag are in one line, or the same mistake is in two lines', () => {
    const [mixed, both] = checkAnswers(['<b>x</b> %FIRST_NAME%', '==one==\n==two==']);
    expect(mixed!.join()).toMatch(/<b> as typed.*%FIRST_NAME% as typed/s);
    expect(both!.map((found) => found.slice(0, 2).trim())).toEqual(['8', '9']);
  });

  it('when there are several in one line', () => {
    const typed = 'Keep 85% for 30 days, [here](/suport), [there](/abuot), in {nothing} and {other}.';
    expect(
      checkAnswers([typed])[0]!.map((found) => found.replace(/ (is defined|as typed|Did)\b.*/, '')),
    ).toEqual([
      '8  "30 days"',
      ...['8  "85%"', '8  Visitors would see {nothing}', '8  Visitors would see {other}'],
      ...['8  There is no page /suport.', '8  There is no page /abuot.'],
    ]);
  });

  it('when its paragraph has several lines', () => {
    const inOne = 'Ask\nat me@elsewhere.example,\\\nor *us* and\n{nothing}, or\n<DiscordLink>them.';
    const inTwo = '**Not bold.\n\nNot bold**.';
    const acrossBreak = 'In {one\\\ntwo}.';
    expect(checkAnswers([inOne, inTwo, acrossBreak])).toEqual([
      [
        expect.stringMatching(/^11 {2}Visitors would see \{nothing\}/),
        expect.stringMatching(/^12 {2}Visitors would see <DiscordLink>/),
      ],
      [expect.stringMatching(/^8 {2}/), expect.stringMatching(/^10 {2}/)],
      [expect.stringMatching(/^8 {2}Visitors would see \{one as typed\./)],
    ]);
  });
});

describe('a correct text passes:', () => {
  const found = checkAnswers(correct);
  it.each(correct.map((typed, index) => [typed, found[index]] as const))('%s', (_, messages) =>
    expect(messages).toEqual([]),
  );
});
