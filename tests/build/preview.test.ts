import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { site } from '../../src/site.ts';
import { deploymentValues, SiteCopy } from './site-copy.ts';

/** Values of a real project, which a branch must not get to use even if somebody sets them. */
const real = { ...deploymentValues, PUBLIC_EMAIL_FUNCTION_URL: 'https://functions.test/resend-email' };

describe('a build of a branch at Cloudflare', () => {
  const copy = new SiteCopy();
  let pages: string[];
  beforeAll(() => {
    const { status, output } = copy.build({ ...real, WORKERS_CI: '1' });
    expect(status, output).toBe(0);
    pages = globSync('**/*.html', { cwd: `${copy.folder}/dist` });
  });
  afterAll(() => copy.remove());

  it('says on every page that it is a preview, and asks search engines not to list it', () => {
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) {
      const html = copy.read(`dist/${page}`);
      expect(html, page).toContain(site.previewNotice);
      expect(html, page).toContain('<meta name="robots" content="noindex">');
    }
  });

  it('can call nothing real, whatever values are set', () => {
    const files = globSync('**/*.{html,js,txt,xml}', { cwd: `${copy.folder}/dist` }).concat('_headers');
    for (const file of files)
      for (const value of Object.values(real)) expect(copy.read(`dist/${file}`), file).not.toContain(value);
    expect(copy.read('dist/index.html')).toContain(`action="${site.previewUrl}`);
  });
});
