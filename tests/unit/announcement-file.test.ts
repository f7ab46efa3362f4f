import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { placeholders } from '../../src/config/site.ts';
import { readAnnouncement } from '../../ops/announcement.ts';
import { ContentCopy } from './content-copy.ts';

// Vitest reads the JSX of the emails by itself.
vi.mock('../../src/emails/load-renderer.ts', () => ({
  loadRenderer: () => import('../../src/emails/render.tsx'),
}));

const local = {
  PUBLIC_SITE_URL: 'https://dropyard.test',
  PUBLIC_SUPABASE_URL: 'http://127.0.0.1:1',
  SUPABASE_SECRET_KEY: 'sb_secret_test',
};
const hosted = { ...local, PUBLIC_SUPABASE_URL: 'https://abc.supabase.co' };
const content = new ContentCopy();
const news = 'content/announcements/news.mdx';
const write = (text = '[Open](https://elsewhere.test)', draft = '') =>
  content.write(news, `---\n${draft}subject: Big news\npreview: Read this\n---\n\nWords.\n\n${text}\n`);
const read = (deployment: typeof local = local, name = 'news', isTest = false) =>
  readAnnouncement(name, deployment, { isTest, root: content.folder });

beforeEach(() => write());
afterAll(() => content.remove());

describe('an announcement', () => {
  it('becomes a template with the words, links and blanks of its file', async () => {
    const { template, warnings } = await read();
    const { subject, html, text } = template;
    expect({ subject, warnings }).toEqual({ subject: 'Big news', warnings: [] });
    expect(html).toMatch(/href="https:\/\/elsewhere\.test"[^>]*>Open</);
    expect(text).toContain('{{unsubscribeUrl}}');
  });

  it.each([local, hosted])('is only a test message while it is a draft: %o', async (deployment) => {
    write(undefined, 'draft: true\n');
    await expect(read(deployment)).rejects.toThrow(`${news} is a draft`);
    await expect(read(local, 'news', true)).resolves.toBeTruthy();
  });

  it('is refused with the mistakes of its file', async () => {
    write('[Read](/abuot)');
    await expect(read()).rejects.toThrow(`${news}:8  There is no page /abuot. Did you mean /about?`);
  });

  it('shows no placeholder to the members of a hosted project', async () => {
    write('[Open](https://elsewhere.example)');
    await expect(read(hosted)).rejects.toThrow(
      /^news shows a placeholder: replace [\w.]+\.example with your own\.$/,
    );
    await expect(read()).resolves.toBeTruthy();
    write('[Open](https://elsewhere.test)\n\nCall <SupportPhone />.');
    await expect(read(hosted)).rejects.toThrow(
      /^PUBLIC_SUPPORT_PHONE is missing, but the announcement needs it\./,
    );
    expect((await read()).template.html).toContain(placeholders.PUBLIC_SUPPORT_PHONE);
  });

  it('that does not exist is answered with the one that was probably meant', async () => {
    await expect(read(local, 'mews')).rejects.toThrow('There is no announcement "mews". Did you mean news?');
  });
});
