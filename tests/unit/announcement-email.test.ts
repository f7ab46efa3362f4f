import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderAnnouncement } from '~/emails/render.tsx';
import { figures, site, social } from '~/config/site.ts';
import { knownAnnouncement } from '../known-content.ts';
import { readWords } from '../words.ts';
import { ContentCopy } from './content-copy.ts';

/** The name as it stands in HTML. */
const name = RegExp.escape(renderToStaticMarkup(site.name));
const values = {
  PUBLIC_SITE_URL: 'https://beta.example',
  PUBLIC_SUPPORT_EMAIL: 'help@beta.example',
  PUBLIC_SUPPORT_PHONE: '+1 (555) 555-0100',
  PUBLIC_POSTAL_ADDRESS: 'Beta, 2 Example Street',
};
const copy = new ContentCopy();
let email: Awaited<ReturnType<typeof renderAnnouncement>>;

const front = '---\nsubject: "{app} opens: today"\npreview: Read this & that\n---\n\n';
const write = (text: string) => copy.write('content/announcements/news.mdx', front + text);
const render = () => renderAnnouncement('news', values, copy.folder);

beforeAll(async () => {
  write(knownAnnouncement);
  email = await render();
});
afterAll(() => copy.remove());

describe('a rendered announcement', () => {
  it('has its subject as the heading, and no preview line in its text', () => {
    expect(email.subject).toBe(`${site.name} opens: today`);
    expect(email.html).toMatch(new RegExp(`<h1[^>]*>${name} opens: today</h1>`));
    expect(email.text).toContain(`${site.name} opens: today\n\n`);
    expect(email.text).not.toContain('Read this');
  });

  it('has headings, lists, bold and italic words', () => {
    expect(email.html).toMatch(/<strong>bold<\/strong> and <em>not<\/em>,<br\/>/);
    expect(email.html).toMatch(new RegExp(`<h2[^>]*>${name} &amp; more</h2>`));
    expect(email.html).toMatch(
      new RegExp(`<ul[^>]*><li[^>]*><div[^>]*>Keep ${figures.freeShare}</div></li>`),
    );
    expect(email.html).toMatch(
      /<strong>One<\/strong> of them<br\/>Two of them<ul[^>]*><li[^>]*><div[^>]*>Below it<\/div><\/li>/,
    );
    expect(email.html).toMatch(
      /<ol start="3"[^>]*><li[^>]*><div[^>]*>First<\/div><\/li><li[^>]*><div[^>]*>Second<\/div><\/li><\/ol>/,
    );
    expect(email.text).toContain(`${site.name} & more\n\n * Keep ${figures.freeShare}\n`);
    expect(email.text).toContain(' 3. First\n 4. Second\n');
  });

  it('has absolute links that open a new tab', () => {
    const urls = {
      'https://beta.example/support': 'a page',
      'https://beta.example/#faq': 'a place',
      'https://elsewhere.example/x?y=1&z=2': 'another site',
      'https://beta.example/about': 'Open the beta',
    };
    for (const [url, words] of Object.entries(urls)) {
      const link = `href="${url.replaceAll('&', '&amp;')}" target="_blank"`;
      expect(email.html).toMatch(new RegExp(`${RegExp.escape(link)}[^>]*>${words}</a>`));
    }
  });

  it('shows the contacts of the deployment', () => {
    expect(email.html).toMatch(/<a [^>]*href="mailto:help@beta\.example"[^>]*>help@beta\.example<\/a>/);
    expect(email.html).toMatch(
      new RegExp(`<a [^>]*href="${social.discord.link}"[^>]*>our <strong>own</strong> Discord</a>`),
    );
    expect(email.text).toContain(
      `Ask help@beta.example, +1 (555) 555-0100, Beta, 2 Example Street or our own Discord ${social.discord.link}.`,
    );
  });

  it('says why the member gets it, and has blanks for their address and unsubscribe link in both parts', () => {
    const { reason, unsubscribe } = readWords('welcomeEmail', copy.folder);
    expect(email.html).toMatch(
      new RegExp(`${reason} <a [^>]*href="{{unsubscribeUrl}}"[^>]*>${unsubscribe}</a>`),
    );
    expect(email.text).toContain(`${reason} ${unsubscribe} {{unsubscribeUrl}}\n`);
    expect(email.html + email.text).not.toMatch(/\{\{(?!(unsubscribeUrl|address)\}\})/);
    for (const part of [email.html, email.text]) expect(part).toContain('{{address}}');
  });
});
