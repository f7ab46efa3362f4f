import { describe, expect, it } from 'vitest';
import { figures, site, social } from '~/site.ts';
import { checkTyped } from './content-copy.ts';

/** What an editor types into an answer that may be meant, and what the warning about it says. */
const answers: [typed: string, said: string][] = [
  ['It is **not bold.', 'Visitors would see "**not". Is the other half missing? Bold is **bold**.'],
  ['It is not bold**.', 'Is the other half missing?'],
  ['It is `not code.', 'Is the other half missing?'],
  ['##When', 'Visitors would see "##When". Does it come from another program? A heading is ## Heading'],
  ['-Scripts\n-Mods', 'Begin each item of a list with a hyphen and a space: - words.'],
  ['• Scripts\n• Mods', 'Begin each item of a list with a hyphen and a space: - words.'],
  ['1.Scripts\n2.Mods', 'Begin each item of a list with a hyphen and a space: - words.'],
  ['A | B\n1 | 2', 'a table has a line | --- | --- |.'],
  ['See [here] (/support).', 'A link is [words](/address).'],
  ['Soon.[^1]', 'A link is [words](/address).'],
  ['Use { a, b } there.', 'Remove it, or put it in `backticks`.'],
  ['Type /give <item> there.', 'Remove it, or put it in `backticks`.'],
  ['Ask <@!12345>.', 'Remove it, or put it in `backticks`.'],
  ...[
    'TODO: more.',
    'Paid in XX days.',
    'Price TBD.',
    'It opens on ???',
    'Lorem ipsum dolor.',
    'Hi [your name],',
  ].map((typed): [string, string] => [typed, 'Is it unfinished?']),
  ...['It is ==marked==.', 'Paid :money_bag: soon.', 'It is [b]bold[/b].', 'Hi %FIRST_NAME%.'].map(
    (typed): [string, string] => [typed, 'Does it come from another program?'],
  ),
  ['It is is here.', 'It says a word twice.'],
  ['M*A*S*H is on.', 'Visitors would not see the symbols of *A*. To show them, write \\*A\\*.'],
  ['From 5~10 to 20~30.', 'Visitors would not see the symbols of ~10 to 20~.'],
  [`You keep ${figures.freeShare} of it.`, `Write {freeShare}, so that it changes with it.`],
  [`It takes ${figures.payoutTime.replace('-', ' to ')}.`, 'Write {payoutTime}, so that it changes with it.'],
  [`Gone in ${figures.deletionTime.replace(' ', '-')}.`, 'If it is another figure, write {'],
  [`It is ${site.name}.`, `"${site.name}" is defined once for the whole site. Write {app}`],
  [`Ask [us](${social.discord.link}).`, 'Write <DiscordLink>words</DiscordLink>'],
];

/** The same in a question. */
const questions: [typed: string, said: string][] = [
  ['“When do I get paid?”', 'A field needs neither formatting nor quotes.'],
  ['When is *it*?', 'Visitors would see "*it*". A field needs neither'],
  ['Paid in XX days?', 'Is it unfinished?'],
  ['Type /give <item>?', 'Remove it, or put it in `backticks`.'],
];

describe.each([
  ['answer', answers],
  ['question', questions],
] as const)(
  'what only looks like a mistake in a %s is a warning, which stops nothing:',
  async (place, cases) => {
    const found = await checkTyped(
      place,
      cases.map(([typed]) => typed),
    );
    it.each(cases.map((one, index) => [...one, found[index]!] as const))(
      '%j',
      (_, said, { mistakes, warnings }) => {
        expect(mistakes).toEqual([]);
        expect(warnings).toEqual([expect.stringContaining(said)]);
      },
    );
  },
);

const sentences = [
  'import duties are yours to pay.',
  `Earn {11,000} XP in {${figures.deletionTime}} steps, or {85 %}.`,
  'Less than <5 days, at x < 3, <3, a<b, a<b>c and a < b > c.',
  'F*** that s**t. 2 * 3 * 4, M\\*A\\*S\\*H, an A* grade. It is free*.',
  'Type \\*not bold\\*, \\_not italic\\_ and \\{app}.',
  '→ One\\\n→ Two',
  'Where is __resource.lua or _G? Take `_source`, `<item>` and `{`, or set_name().',
  'We are #1, with C:\\new files, C++, a|b, x^2, C# and .NET, @everyone, 24/7, ½ price and 4K@60.',
  'Yours,\n-Jo',
  'The [he]/she form, [mod]/supporters, [ESX] and [QB]. Run /kick [id] or /me waves (/help is one).',
  '| A | B |\n| --- | --- |\n| 1 | 2 |',
  '- **One**\n- *two*\n  - Three\n1. five\n\n1) One',
  'Ask <SupportEmail />, <SupportPhone/>, <PostalAddress /> or <DiscordLink>our **own** Discord</DiscordLink>.',
  'See [{app}](/), [it](#question-payouts), [a page](/privacy-policy/), [a file](/icon.svg), https://elsewhere.example/[x]/(y)_z?a=b_c*d, [mail](mailto:a@b.example) or [tel](tel:+15550142).',
  '![The logo](/icon.svg)',
  'Q&A; R&D, points in [0, 1), a :] smile, I <3 mods >:( and 10:30:15. A -> B <- C.',
  'ﷺ שלום 🎉 naïve “quotes” — and … more, 什么时候？',
];
const titles = [
  '1. Sign up',
  'Are we #1 in RP?',
  '2 * 3 * 4 and a_b_c, at x < 3 or <3?',
  'Do R&B; and Q&A count?',
  'Where is __resource.lua, and what is _source?',
  'Is it “free”, or even “free: for all”?',
  'Is “she/her” or [sic]/other fine, if 3 > 2 (it is)?',
  'M*A*S*H, 2*3*4 and __init__.py?',
  'Is it free*?',
  'Is C:\\mods a folder?',
  'Когда? 什么时候？ 🎉',
];

describe.each([
  ['answer', sentences],
  ['question', titles.map((typed) => `'${typed}'`)],
] as const)('a correct sentence in a %s passes without a message:', async (place, all) => {
  const found = await checkTyped(place, all);
  it.each(all.map((typed, index) => [typed, found[index]!] as const))('%s', (_, said) =>
    expect(said).toEqual({ mistakes: [], warnings: [] }),
  );
});
