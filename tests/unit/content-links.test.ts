import { beforeAll, describe, expect, it } from 'vitest';
import { checkAnswers, ContentCopy, followAdvice, payouts } from './content-copy.ts';

const link = 'Write a link as [words](/address)';

/** A link, a picture or a tag that an editor writes into an answer, and the message for it. */
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
  // Tags.
  ...['<SupportEmail>', '</SupportEmail>', '<SupportEmail', '< SupportEmail />', '<SupportEmail to="x" />']
    .concat('<SupportEmail></SupportEmail>', '{SupportEmail}', '[SupportEmail]')
    .map((typed): [string, string] => [`Ask ${typed}.`, 'does not work. Write <SupportEmail />.']),
  ...['<DiscordLink href="x">us</DiscordLink>', '<DiscordLink />', '<DiscordLink>us<DiscordLink/>'].map(
    (typed): [string, string] => [`Ask ${typed}.`, 'does not work. Write <DiscordLink>words</DiscordLink>.'],
  ),
  ...['<DiscordLink>us', 'us</DiscordLink>', '<DiscordLink>us<DiscordLink>'].map(
    (typed): [string, string] => [`Ask ${typed}.`, 'Did you mean <DiscordLink>words</DiscordLink>?'],
  ),
  ['Ask <DiscordLnk href="https://discord.example">us.', 'Did you mean <DiscordLink>words</DiscordLink>?'],
  ['Ask <supportemail />.', 'Did you mean <SupportEmail />?'],
  ['Ask <Support Email />.', 'Did you mean <SupportEmail />?'],
  ['<o:p></o:p>', 'Visitors would see <o:p> as typed. Remove it. To show it, put it in backticks.'],
  ['One.<br>Two.', 'Visitors would see <br> as typed. Leave an empty line for a new paragraph.'],
  ['It is <b>bold</b>.', 'Visitors would see <b> as typed. Write **bold**.'],
  ['It is <em>so</em>.', 'Visitors would see <em> as typed. Write *italic*.'],
  [
    '<a href="/support">Help</a>',
    'Visitors would see <a href="/support"> as typed. Write [words](/address).',
  ],
  ['<img src="/icon.svg">', 'Write ![what it shows](/file.png).'],
  ...['<ul><li>Mods</li></ul>', '<ul>\n  <li>Mods</li>\n  <li>Maps</li>\n</ul>', '<li'].map(
    (typed): [string, string] => [typed, 'Begin each item of a list with a hyphen and a space: - words.'],
  ),
  [
    'It is <Blink>bold</Blink>.',
    'Visitors would see <Blink> as typed. Remove it. To show it, put it in backticks.',
  ],
  ['<script>alert(1)</script>', 'Remove it. To show it, put it in backticks.'],
  ['It is <b bold.', 'Visitors would see <b as typed. Write **bold**.'],
  ['It is bold</b now.', 'Visitors would see </b as typed. Write **bold**.'],
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
  ['[Help](/terms)', 'There is no page /terms. Did you mean /terms-of-use?'],
  ['[Help](/faq)', 'There is no page /faq. Did you mean /#faq?'],
  ['[Help](/_redirects)', 'There is no page /_redirects.'],
  ['[Help](/nowhere-at-all)', 'An address begins with https://, mailto: or tel:, or is one of /'],
  ['[There](/#a-known-headin)', 'The page / has no section #a-known-headin. Did you mean #a-known-heading?'],
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
  [
    'It begins with https://.',
    'Write an address as https:// and the name of a site, without spaces. To show it, put',
  ],
  [
    'See https:/elsewhere.example.',
    'Visitors would see https:/elsewhere.example as typed. Write an address as https://',
  ],
  ['See file:///C:/jo/a.docx.', 'Visitors would see file:///C:/jo/a.docx as typed.'],
  ['[Help](http://localhost:4321/about)', 'works on your machine only. Write /about.'],
  ['[Home](http://127.0.0.1:4321)', 'works on your machine only. Write /.'],
  ['[Help](#)', 'The link has no address. Write [words](/address).'],
  // Pictures.
  ['![shop.png](/icon.svg)', 'The picture has no description'],
  ['![IMG_1234](/icon.svg)', 'The picture has no description'],
  ['![](/icon.svg)', 'The picture has no description'],
  ['![A shop](/shop.png)', 'There is no picture /shop.png. Put it into public/'],
  ['![Our sign](icon.svg)', 'Did you mean /icon.svg?'],
  ['![Our sign](../public/icon.svg)', 'Did you mean /icon.svg?'],
  ['![A shop](https://elsewhere.example/shop.png)', 'A picture from another server would tell'],
];

describe('a mistake in a link, a picture or a tag is reported once, with what to do:', () => {
  const found = checkAnswers(mistakes.map(([typed]) => typed));
  it.each(mistakes.map((one, index) => [...one, found[index]!] as const))('%s', (_, said, messages) =>
    expect(messages).toEqual([expect.stringContaining(said)]),
  );
});

describe('a mistake in a link, a picture or a tag is gone', () => {
  let done: ReturnType<typeof followAdvice>;
  beforeAll(() => {
    done = followAdvice(mistakes.map(([typed]) => typed));
  }, 120_000);
  it('after doing what its message suggests', () => expect(done.wrong).toEqual([]));
  it('in each of the ways', () =>
    expect(done.followed).toEqual(['backticks', 'prefix', 'encryption', 'correction']));
});

it('two HTML lists are two mistakes', () => {
  const [found] = checkAnswers(['<li Mods\n\nAnd:\n\n<ul>\n<li>Maps</li>\n</ul>']);
  expect(found!.map((message) => message.slice(0, 28).trim())).toEqual([
    '8  Visitors would see <li as',
    '12  Visitors would see <ul>',
  ]);
});

it('a correct text passes with links to pages, sections, questions, files and other sites', () => {
  const copy = new ContentCopy();
  copy.write('public/our words.txt', '');
  const urls = [
    ...['/', '/about', '/support/', '/about?from=faq', '/#faq', '/#question-ownership', '/#a-known-heading'],
    ...[
      '/support#support-question-when',
      '#top',
      '/icon.svg',
      '/terms-of-use#main',
      '/our%20words.txt',
      '/welcome/jo',
    ],
    ...['https://elsewhere.example', 'mailto:a@b.example', 'tel:+15550142'],
  ];
  copy.add(payouts, [...urls.map((url) => `[There](${url})`), '![The logo](/icon.svg)'].join('\n'));
  expect(copy.findMistakes()).toEqual([]);
  copy.remove();
});
