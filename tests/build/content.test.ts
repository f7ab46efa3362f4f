import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SiteCopy } from './site-copy.ts';

let site: SiteCopy;
beforeEach(() => void (site = new SiteCopy()));
afterEach(() => site.remove());

describe('a content file that is broken', () => {
  it.each<[name: string, change: () => void, ...said: string[]]>([
    [
      'by a misspelt key',
      () => site.edit('content/faq/payouts.mdx', 'question:', 'questin:'),
      'faq → payouts',
      'questin',
      'is missing: The question as a visitor would ask it',
    ],
    [
      'by a missing field',
      () => site.edit('content/sections/hero.mdx', 'tagline: Create. Drop. Get Paid...\n', ''),
      'hero',
      'tagline',
      'The line below the headline',
    ],
    [
      'by the order of another file',
      () => site.edit('content/perks/xp-perks.mdx', 'order: 4', 'order: 3'),
      'content/perks/xp-perks.mdx',
      'content/perks/featured-placement.mdx',
      'same order 3',
    ],
    [
      'by the id of another file',
      () => site.write('content/faq/PAYOUTS.mdx', site.read('content/faq/payouts.mdx')),
      'content/faq/PAYOUTS.mdx',
      'content/faq/payouts.mdx',
      'same id "payouts"',
    ],
    [
      'by an unknown component',
      () => site.edit('content/faq/payouts.mdx', 'You can', '<Blink>You</Blink> can'),
      'content/faq/payouts.mdx',
      '<Blink> is not known here',
      '<SupportEmail />',
    ],
    [
      'by an unknown fact',
      () => site.edit('content/legal/terms-of-use.mdx', '{minimumAge}', '{minimalAge}'),
      'content/legal/terms-of-use.mdx',
      'There is no fact {minimalAge}',
      '{minimumAge}',
    ],
    [
      'by an import',
      () => site.edit('content/pages/about.mdx', '## What we saw', "import x from './x'\n\n## What we saw"),
      'content/pages/about.mdx',
      'import and export do not belong in a text',
    ],
    [
      'by a heading that is too long',
      () => site.edit('content/perks/xp-perks.mdx', 'title: XP perks', `title: ${'XP '.repeat(40)}`),
      'perks → xp-perks',
      'title',
      'is longer than 60 characters',
    ],
    [
      'by an answer that is missing',
      () =>
        site.write(
          'content/faq/payouts.mdx',
          site.read('content/faq/payouts.mdx').replace(/(---\n[^]*?---\n)[^]*/, '$1'),
        ),
      'content/faq/payouts.mdx',
      'has no text',
    ],
    [
      'by a text that is shown nowhere',
      () => site.write('content/sections/hero.mdx', `${site.read('content/sections/hero.mdx')}\nHello\n`),
      'content/sections/hero.mdx',
      'shown nowhere',
    ],
  ])('%s fails the build, with file, field and what to do', (_, change, ...said) => {
    change();
    const { status, output } = site.build();
    expect(status).toBe(1);
    for (const words of said) expect(output).toContain(words);
  });
});
