import { caniemail } from 'caniemail';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, describe, expect, it } from 'vitest';
import { renderAnnouncement, renderWelcome } from '~/email/render.tsx';
import { placeholders } from '~/site.ts';
import { knownAnnouncement } from '../known-content.ts';
import { readWords } from '../words.ts';
import { ContentCopy } from './content-copy.ts';

const copy = new ContentCopy();
copy.write(
  'content/announcements/news.mdx',
  `---\nsubject: News\npreview: Read this\n---\n\n${knownAnnouncement}\n`,
);
afterAll(() => copy.remove());
const values = { ...placeholders, PUBLIC_SITE_URL: 'https://beta.example' };
const emails = [
  { name: 'the welcome email', email: await renderWelcome(), preview: readWords('welcomeEmail').preview },
  {
    name: 'an announcement',
    email: await renderAnnouncement('news', values, copy.folder),
    preview: 'Read this',
  },
];

describe('the emails', () => {
  const clients = ['gmail.*', 'outlook.*', 'apple-mail.*', 'yahoo.*', 'samsung-email.*'] as const;

  /** The fallback of a client without the feature. */
  const fallbacks: Record<string, string> = {
    '<body> element': 'the paper color is also on the outer table',
    '<style> element': 'every color and size is inline as well: the light message, with the wider margins',
    '@media': 'the same',
    'box-sizing': 'cells are measured without padding and borders anyway, unless a client changes that',
    'border-radius': 'the notches of the ticket are square',
    'display:none': 'the preheader shows as a first line',
    'height property': 'max-height only helps to hide the preheader',
    overflow: 'the same',
    'role attribute': 'a screen reader names the layout tables',
    'word-break': 'a very long address makes a narrow message wider',
    'target attribute': 'a link opens where the client opens its links',
  };

  it('have a fallback for each feature that one of the large clients lacks', () => {
    const lacking = new Set(
      emails.flatMap(({ email }) => {
        const { issues } = caniemail({ clients: [...clients], html: email.html });
        return [...issues.errors.values()].flat().map(({ title }) => title);
      }),
    );
    expect([...lacking].sort()).toEqual(Object.keys(fallbacks).sort());
  });
});

describe.each(emails)('$name in a mail client', ({ email, preview }) => {
  it('declares its language, title, width and color schemes', () => {
    for (const part of [
      'lang="en"',
      `<title>${email.subject}</title>`,
      'name="viewport"',
      'name="color-scheme" content="light dark"',
    ]) {
      expect(email.html).toContain(part);
    }
    const [, night = ''] = /@media \(prefers-color-scheme:dark\)\{(.*?\})\}/.exec(email.html) ?? [];
    expect(night.match(/[\w-]+(?=\{)/g)).toEqual(
      ['paper', 'panel', 'ink', 'quiet', 'link'].map((part) => `email-${part}`),
    );
    const [outer, message] = email.html.match(/<table[^>]*>/g) ?? [];
    expect(outer).not.toContain('max-width');
    expect(message).toMatch(/style="max-width:600px;/);
    for (const table of [outer, message]) expect(table).toContain('width="100%"');
    expect(email.html.match(/@media \([a-z]+-width:[^)]*\)/g)).toEqual(['@media (max-width:600px)']);
  });

  it('uses presentation tables for its layout, and needs no picture', () => {
    const tables = email.html.match(/<table[^>]*>/g) ?? [];
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) expect(table).toContain('role="presentation"');
    expect(email.html).not.toContain('<img');
  });

  it('underlines every link but its button, because a color alone is easy to miss', () => {
    const links = email.html.match(/<a\b[^>]*>/g) ?? [];
    const plain = links.filter((link) => !link.includes('text-decoration:underline'));
    expect(plain).toEqual([expect.stringContaining('padding:15px 18px')]);
  });

  it('starts with a preheader, and has a text part with every link', () => {
    expect(email.html).toMatch(/<body[^>]*>(<!--[^>]*-->)*<div style="display:none[^>]*>/);
    expect(email.html).toContain(`>${renderToStaticMarkup(preview)}<`);
    const links = [...email.html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
      href.replace(/^mailto:([^?]*).*/, '$1').replaceAll('&amp;', '&'),
    );
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(email.text).toContain(link);
    // Shapes are made of these.
    expect(email.text).not.toContain('\u00a0');
  });
});
