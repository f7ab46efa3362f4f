import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderAnnouncement } from '~/emails/render.tsx';
import { figures, site, social } from '~/config/site.ts';
import { knownAnnouncement } from '../known-content.ts';
import { readWords } from '../words.ts';
import { ContentCopy } from './content-copy.ts';

/** The name as it stands in HTML. */
const name = RegExp.escape(renderToStaticMarkup(site.name));
const news = 'content/announcements/news.mdx';
const values = {
  PUBLIC_SITE_URL: 'https://beta.example',
  PUBLIC_SUPPORT_EMAIL: 'help@beta.example',
  PUBLIC_SUPPORT_PHONE: '+1 (555) 555-0100',
  PUBLIC_POSTAL_ADDRESS: 'Beta, 2 Example Street',
};
const copy = new ContentCopy();
let email: Awaited<ReturnType<typeof renderAnnouncement>>;

const write = (text: string, fields = 'subject: Hello\npreview: Read this') =>
  copy.write(news, `---\n${fields}\n---\n\n${text}\n`);
const render = (more: object = {}) => renderAnnouncement('news', { ...values, ...more }, copy.folder);

beforeAll(async () => {
  write(knownAnnouncement, 'subject: "{app} opens: today"\npreview: Read this & that');
  email = await render();
});
afterAll(() => copy.remove());

describe('a rendered announcement', () => {
  it('has its subject as the heading, and its preview line in HTML only', () => {
    expect(email).toMatchObject({ subject: `${site.name} opens: today`, preview: 'Read this & that' });
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
      /<ol[^>]*><li[^>]*><div[^>]*>First<\/div><\/li><li[^>]*><div[^>]*>Second<\/div><\/li><\/ol>/,
    );
    expect(email.text).toContain(`${site.name} & more\n\n * Keep ${figures.freeShare}\n`);
    expect(email.text).toContain(' 1. First\n 2. Second\n');
  });

  it('has absolute links that open a new tab, in both parts', () => {
    const urls = {
      'https://beta.example/support': 'a page',
      'https://beta.example/#faq': 'a place',
      'https://elsewhere.example/x?y=1&z=2': 'another site',
      'https://beta.example/about': 'Open the beta',
    };
    for (const [url, words] of Object.entries(urls)) {
      const link = `href="${url.replaceAll('&', '&amp;')}" target="_blank"`;
      expect(email.html).toMatch(new RegExp(`${RegExp.escape(link)}[^>]*>${words}</a>`));
      expect(email.text).toContain(`${words} ${url}`);
    }
  });

  it('shows a link that is alone in its paragraph as its only button', () => {
    const buttons = email.html.match(/<a [^>]*padding:15px[^>]*>[^<]*<\/a>/g);
    expect(buttons).toHaveLength(1);
    expect(buttons?.[0]).toMatch(/href="https:\/\/beta\.example\/about"[^>]*>Open the beta</);
  });

  it('shows the contacts of the deployment', () => {
    expect(email.html).toMatch(/<a [^>]*href="mailto:help@beta\.example"[^>]*>help@beta\.example<\/a>/);
    expect(email.html).toContain('+1 (555) 555-0100');
    expect(email.html).toMatch(
      new RegExp(`<a [^>]*href="${social.discord.link}"[^>]*>our <strong>own</strong> Discord</a>`),
    );
    expect(email.text).toContain(
      `Ask help@beta.example, +1 (555) 555-0100, Beta, 2 Example Street or our own Discord ${social.discord.link}.`,
    );
  });

  it('says why the member gets it, and has a placeholder for their unsubscribe link in both parts', () => {
    const { reason, unsubscribe } = readWords('welcomeEmail', copy.folder);
    expect(email.html).toMatch(
      new RegExp(`${reason} <a [^>]*href="{{unsubscribeUrl}}"[^>]*>${unsubscribe}</a>`),
    );
    expect(email.text).toContain(`${reason} ${unsubscribe} {{unsubscribeUrl}}\n`);
    expect(email.html + email.text).not.toMatch(/\{\{(?!unsubscribeUrl\}\})/);
  });

  it('is the same every time, because it is compared with what was queued', async () => {
    expect(await render()).toEqual(email);
  });

  it('stays below the size at which Gmail cuts it off, even at its longest', async () => {
    write(`[Open](/)\n\n${'- **Words**\n'.repeat(499)}`);
    const { html } = await render();
    expect(Buffer.byteLength(html)).toBeLessThan(102 * 1024);
  });
});

describe('an announcement is not rendered', () => {
  it('when its fields have a mistake', async () => {
    write('[Open](/about)', 'subject: Hello');
    await expect(render()).rejects.toThrow(`${news} has mistakes. "npm run check:content" lists them.`);
  });

  it.each(['PUBLIC_SITE_URL', 'PUBLIC_SUPPORT_EMAIL', 'PUBLIC_SUPPORT_PHONE', 'PUBLIC_POSTAL_ADDRESS'])(
    'when it shows %s and the value is missing',
    async (name) => {
      write(knownAnnouncement);
      await expect(render({ [name]: undefined })).rejects.toThrow(`${name} is missing`);
    },
  );

  it('when Gmail would cut it off', async () => {
    write(`[Open](/)\n\n${`- [Words](https://elsewhere.example/${'x'.repeat(300)})\n`.repeat(300)}`);
    await expect(render()).rejects.toThrow(
      /becomes a message of \d+ KB, but Gmail cuts messages off at 102 KB/,
    );
  });
});
