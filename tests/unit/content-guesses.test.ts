import { describe, expect, it } from 'vitest';
import { figures, site, social } from '~/config/site.ts';
import { checkTyped } from './content-copy.ts';

const deletion = figures.deletionTime.replace(' ', '-');

const answers: Record<string, string[]> = {
  'Is it formatting that does not work?': [
    ...['It is **not bold.', 'It is not bold**.', 'It is `not code.', '##When', 'A | B\n1 | 2'],
    ...['-Scripts\n-Mods', '• Scripts\n• Mods', '1.Scripts\n2.Mods', 'See [here] (/support).', 'Soon.[^1]'],
    ...['Use { a, b } there.', 'Type /give <item> there.', 'Ask <@!12345>.', 'It is ==marked==.'],
    ...['Paid :money_bag: soon.', 'It is [b]bold[/b].', 'Hi %FIRST_NAME%.'],
  ],
  'Is it unfinished?': ['TODO: more.', 'Paid in XX days.', 'On ???', 'Lorem ipsum dolor.', 'Hi [your name],'],
  'It says a word twice.': ['It is is here.'],
  'Visitors would not see the symbols of *A*. To show them, write \\*A\\*.': ['M*A*S*H is on.'],
  'Visitors would not see the symbols of ~10 to 20~.': ['From 5~10 to 20~30.'],
  'Write {freeShare}, so that it changes with it': [`It is ${figures.freeShare}.`],
  'Write {payoutTime}, so': [`It takes ${figures.payoutTime.replace('-', '–')}.`],
  [`or {${deletion}} for another figure.`]: [`Gone in ${deletion}.`],
  [`"${site.name}" is defined once for the whole site. Write {app}`]: [`It is ${site.name}.`],
  'Write <DiscordLink>words</DiscordLink>': [`Ask [us](${social.discord.link}).`],
};

const questions: Record<string, string[]> = {
  'A field needs neither formatting nor quotes.': ['“When do I get paid?”', 'When is *it*?', 'Get paid?"'],
  'Is it formatting that does not work?': ['Type /give <item>?'],
};

describe.each([
  ['answer', answers],
  ['question', questions],
] as const)(
  'what only looks like a mistake in a new %s is a warning, which stops nothing:',
  async (place, sayings) => {
    const cases = Object.entries(sayings).flatMap(([said, all]) =>
      all.map((typed) => [typed, said] as const),
    );
    it.each(await checkTyped(place, cases))('%j', (_, said, found) =>
      expect(found).toEqual({ mistakes: [], warnings: [expect.stringContaining(said)] }),
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
  it.each(
    await checkTyped(
      place,
      all.map((typed) => [typed] as const),
    ),
  )('%s', (_, found) => expect(found).toEqual({ mistakes: [], warnings: [] }));
});
