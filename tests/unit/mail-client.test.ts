import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, describe, expect, it } from 'vitest';
import { renderAnnouncement, renderWelcome } from '~/emails/render.tsx';
import { placeholders } from '~/config/site.ts';
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

describe.each(emails)('$name in a mail client', ({ email, preview }) => {
  it('uses nothing that Gmail or Outlook drop', () => {
    expect(email.html).not.toMatch(
      /<(script|link|svg|form|video)\b|var\(|background-image|position:|float:|display:(flex|grid)/,
    );
  });

  it('declares its language, title, width and color schemes', () => {
    expect(email.html).toMatch(/lang="en".* name="viewport".* name="color-scheme" content="light dark"/);
    expect(email.html).toContain(`<title>${email.subject}</title>`);
    const [, night = ''] = /@media \(prefers-color-scheme:dark\)\{(.*?\})\}/.exec(email.html) ?? [];
    expect(night.match(/[\w-]+(?=\{)/g)).toEqual(
      ['paper', 'panel', 'torn', 'ink', 'quiet', 'link'].map((part) => `email-${part}`),
    );
    const [outer, message] = email.html.match(/<table[^>]*>/g) ?? [];
    expect(outer).not.toContain('max-width');
    // Outlook on Windows knows only the attribute.
    expect(message).toMatch(/ width="600" .*style="width:100%;max-width:600px;/);
    expect(outer).toContain(`width="100%"`);
    expect(email.html.match(/@media \([a-z]+-width:[^)]*\)/g)).toEqual(['@media (max-width:600px)']);
  });

  it('uses presentation tables for its layout, and needs no picture', () => {
    const tables = email.html.match(/<table[^>]*>/g) ?? [];
    for (const table of tables) expect(table).toContain('role="presentation"');
    expect(email.html, 'no frame with a cross where pictures are off').not.toContain('<img');
  });

  it('underlines every link but its logo and its button, because a color alone is easy to miss', () => {
    const links = email.html.match(/<a\b[^>]*>/g) ?? [];
    const plain = links.filter((link) => !link.includes('text-decoration:underline'));
    expect(plain).toEqual([
      expect.stringMatching(/href="[^"]*\/"/),
      expect.stringContaining('padding:15px 32px'),
    ]);
  });

  it('starts with a preheader, and has a text part with every link', () => {
    expect(email.html).toMatch(/<body[^>]*>(<!--[^>]*-->)*<div style="display:none[^>]*>/);
    expect(email.html).toContain(`>${renderToStaticMarkup(preview)}<`);
    // The first one is on the logo, which is not in the text. Of a link to an address, only the address is.
    const [, ...links] = [...email.html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
      href.replace(/^mailto:([^?]*).*/, '$1').replaceAll('&amp;', '&'),
    );
    expect(email.text.split(/[.,]?\s+/)).toEqual(expect.arrayContaining(links));
  });
});
