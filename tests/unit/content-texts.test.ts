import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { figures, site, social } from '~/site.ts';
import { type Break, ContentCopy, expectMistake, hero, payouts, privacy, terms } from './content-copy.ts';

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

const breaks: Break[] = [
  [
    'a sign for less',
    (copy) => copy.add(payouts, 'Less than <5 days.'),
    `${payouts}:8`,
    'Write &lt; for the sign',
  ],
  [
    'an import',
    (copy) => copy.add(payouts, "import x from './x'"),
    `${payouts}:8`,
    'import and export do not belong',
  ],
  ['a text that is shown nowhere', (copy) => copy.add(hero, 'Hello'), `${hero}:9`, 'shown nowhere'],
  [
    'a fact in a text that does not exist',
    (copy) => copy.edit(payouts, '{payoutTime}', '{payTime}'),
    `${payouts}:6`,
    'There is no fact {payTime}',
  ],
  [
    'a sum in curly brackets',
    (copy) => copy.edit(payouts, '{payoutTime}', '{pay time}'),
    `${payouts}:6`,
    'the name of a fact',
  ],
  [
    'a curly bracket that stays open',
    (copy) => copy.edit(payouts, '{payoutTime}', '{payoutTime'),
    `${payouts}:6`,
    'A curly bracket is opened',
  ],
  [
    'a figure that is typed',
    (copy) => copy.add(payouts, `You keep ${figures.freeShare} of it.`),
    `${payouts}:8`,
    `"${figures.freeShare}" is written once for the whole site. Write {freeShare} instead.`,
  ],
  [
    'the name of the product in a field',
    (copy) => copy.edit(hero, /heading: .*/, `heading: Welcome to ${site.name}`),
    `${hero}:2`,
    'Write {app} instead.',
  ],
  [
    'a sentence that holds another fact',
    (copy) => copy.add(payouts, site.independenceNotice),
    `${payouts}:8`,
    'Write {independenceNotice} instead.',
  ],
  [
    'the address of Discord',
    (copy) => copy.add(payouts, `[Chat](${social.discord.link})`),
    `${payouts}:8`,
    'Write <DiscordLink>…</DiscordLink> instead.',
  ],
  [
    'a title of its own',
    (copy) => copy.add(payouts, '# When'),
    `${payouts}:8`,
    'The page has its one title already. A heading in a text begins with ##.',
  ],
  ['a title that is underlined', (copy) => copy.add(payouts, 'When\n===='), `${payouts}:8`, 'begins with ##'],
  [
    'a heading that leaves out a level',
    (copy) => copy.add(payouts, '## When\n\n#### At night'),
    `${payouts}:10`,
    'The heading #### leaves out a level. Begin it with ###.',
  ],
  [
    'an unknown component',
    (copy) => copy.edit(payouts, 'You can', '<Blink>You</Blink> can'),
    `${payouts}:6`,
    '<Blink> is not known here',
  ],
  [
    'a component with attributes',
    (copy) => copy.add(payouts, '<SupportEmail to="x" />'),
    `${payouts}:8`,
    'takes no attributes',
  ],
  [
    'a component that stays open',
    (copy) => copy.add(payouts, 'Ask on <DiscordLink>Discord.'),
    `${payouts}:8`,
    'opened and not closed',
  ],
  [
    'a component that stays open in the second line of a paragraph',
    (copy) => copy.add(payouts, 'Ask\non <DiscordLink>Discord.\n\nMore.'),
    `${payouts}:9`,
    'A component is opened and not closed, or closed and not opened: <DiscordLink>words</DiscordLink>.',
  ],
  [
    'a component that stays open at the beginning of a paragraph',
    (copy) => copy.add(payouts, '<DiscordLink>'),
    `${payouts}:8`,
    'opened and not closed',
  ],
  ['a tag that stays open', (copy) => copy.add(payouts, '<DiscordLink'), `${payouts}:8`, 'A < stands here'],
  [
    'a curly bracket that stays open to the end of the file',
    (copy) => copy.add(payouts, '{app'),
    `${payouts}:8`,
    'A curly bracket is opened',
  ],
  [
    'an answer that is missing',
    (copy) => copy.write(payouts, copy.read(payouts).replace(/(---\n[^]*?---\n)[^]*/, '$1')),
    `${payouts}:5`,
    'There is no text below the fields',
  ],
  [
    'a dead link',
    (copy) => copy.add(payouts, '[Help](/suport)'),
    `${payouts}:8`,
    'There is no page /suport. Did you mean /support?',
  ],
  [
    'a link to a place that is not there',
    (copy) => copy.add(payouts, '[There](/#a-known-headin)'),
    `${payouts}:8`,
    'Did you mean #a-known-heading?',
  ],
  [
    'a link within a page to nowhere',
    (copy) => copy.add(payouts, '[Up](#question-payout)'),
    `${payouts}:8`,
    'Did you mean #question-payouts?',
  ],
  [
    'a link that begins nowhere',
    (copy) => copy.add(payouts, '[Help](support)'),
    `${payouts}:8`,
    '"support" is no full address',
  ],
  ...['/%zz', '/support%', '/#%zz', '/100%'].map((link): Break => [
    `a link with a % that stands for nothing, ${link}`,
    (copy) => copy.add(payouts, `[There](${link})`),
    `${payouts}:8`,
    `${link} holds a % that stands for nothing. Write %25 for the sign.`,
  ]),
  [
    'a link to a page whose name holds a sign for %',
    (copy) => copy.add(payouts, '[There](/100%25)'),
    `${payouts}:8`,
    'There is no page /100%.',
  ],
  [
    'a link to a place whose name holds a sign for %',
    (copy) => copy.add(payouts, '[There](/#a%25b)'),
    `${payouts}:8`,
    'The page / has no place #a%b.',
  ],
  ...['/\\\\elsewhere.example', '/\\\\['].map((link): Break => [
    `a link to another site that looks like one of this, ${link}`,
    (copy) => copy.add(payouts, `[There](${link})`),
    `${payouts}:8`,
    'leads to another site. Write its full address, with https://.',
  ]),
  [
    'a link in the clear',
    (copy) => copy.add(payouts, '[Them](http://elsewhere.example)'),
    `${payouts}:8`,
    'Write https://',
  ],
  [
    'a bare address in the clear',
    (copy) => copy.add(payouts, 'See www.elsewhere.example.'),
    `${payouts}:8`,
    'Write https://',
  ],
  [
    'a link that runs something',
    (copy) => copy.add(payouts, '[Run](javascript:alert)'),
    `${payouts}:8`,
    'has no place here',
  ],
  [
    'a dead link that is named below',
    (copy) => copy.add(payouts, '[Help][1]\n\n[1]: /suport'),
    `${payouts}:10`,
    'There is no page /suport',
  ],
  [
    'a picture without a description',
    (copy) => copy.add(payouts, '![](/icon.svg)'),
    `${payouts}:8`,
    'has no description',
  ],
  [
    'a picture that is not there',
    (copy) => copy.add(payouts, '![A shop](/shop.png)'),
    `${payouts}:8`,
    'There is no picture /shop.png',
  ],
  [
    'a picture of another server',
    (copy) => copy.add(payouts, '![A shop](https://elsewhere.example/shop.png)'),
    `${payouts}:8`,
    'from another server',
  ],
  [
    'a picture of another server, named below',
    (copy) => copy.add(payouts, '![A shop][1]\n\n[1]: https://elsewhere.example/shop.png'),
    `${payouts}:8`,
    'The address of a picture stands at its place',
  ],
];

describe('a legal text', () => {
  it('may be worded anew, and must name what law and product demand', () => {
    copy.setText(terms, 'Whoever is under age may not join.');
    copy.setText(privacy, '**Supabase** keeps it.');
    const said = copy.findMistakes().map(({ file, message }) => `${file} ${message}`);
    expect(said).toContain(`${terms} The text must name {minimumAge}, in words of your own. Write it in.`);
    expect(said).toContain(`${privacy} The text must name Resend, in words of your own. Write it in.`);
    expect(said.join()).not.toContain('Supabase');
    copy.setText(
      privacy,
      'With {minimumAge}, gone in {deletionTime}: <SupportEmail />, <PostalAddress />, Resend, Supabase.',
    );
    expect(copy.findMistakes().filter(({ file }) => file === privacy)).toEqual([]);
  });
});

describe('the text of a content file', () => {
  it.each(breaks)('with %s is told so once, with file, line and what to do', (...broken) => {
    expectMistake(copy, broken);
  });

  it('may have headings of several levels', () => {
    copy.add(payouts, '## When\n\n### By day\n\n### By night\n\n## How');
    expect(copy.findMistakes()).toEqual([]);
  });

  it('may link to pages, places, questions, files and other sites', () => {
    const links = ['/', '/about', '/support/', '/#faq', '/#question-ownership', '/#a-known-heading'];
    const others = [
      '/icon.svg',
      '/terms-of-use#main',
      'https://elsewhere.example',
      'mailto:a@b.example',
      '#top',
    ];
    copy.add(payouts, [...links, ...others].map((link) => `[There](${link})`).join('\n'));
    copy.write('public/100% ours.txt', '');
    copy.add(payouts, '[There](/100%25%20ours.txt)');
    copy.add(payouts, '![The logo](/icon.svg)');
    expect(copy.findMistakes()).toEqual([]);
  });
});
