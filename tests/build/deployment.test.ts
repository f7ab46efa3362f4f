import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploymentValues, SiteCopy } from './site-copy.ts';

let site: SiteCopy;
beforeAll(() => void (site = new SiteCopy()));
afterAll(() => site.remove());

const pages = () => globSync('dist/**/*.html', { cwd: site.folder });

describe('a production build', () => {
  it('fails without its values and names each of them', () => {
    const { status, output } = site.build({});
    expect(status).toBe(1);
    for (const variable of Object.keys(deploymentValues))
      expect(output).toContain(`${variable} is missing: set it to`);
  });

  it('fails for empty or malformed values and names each of them', () => {
    const { status, output } = site.build({
      ...deploymentValues,
      PUBLIC_SUPABASE_URL: '',
      PUBLIC_SUPPORT_PHONE: '',
      PUBLIC_SUPABASE_ANON_KEY: 'sb_secret_abc',
    });
    expect(status).toBe(1);
    expect(output).toContain('PUBLIC_SUPABASE_URL is empty');
    expect(output).toContain('PUBLIC_SUPPORT_PHONE is empty');
    expect(output).toContain('PUBLIC_SUPABASE_ANON_KEY is malformed');
    expect(output).not.toContain('sb_secret_abc');
  });

  it('lists the remaining placeholders, and contains the values', () => {
    const { status, output } = site.build({
      ...deploymentValues,
      PUBLIC_SUPPORT_EMAIL: 'help@elsewhere.test',
      PUBLIC_EMAIL_FUNCTION_URL: 'https://mail.dropyard.example/send',
    });
    expect(status).toBe(0);
    expect(output).toContain('PUBLIC_SUPPORT_PHONE');
    expect(output).not.toContain('PUBLIC_SUPPORT_EMAIL');
    const landing = site.read('dist/index.html');
    expect(landing).toContain('mailto:help@elsewhere.test');
    expect(landing).toContain('action="https://mail.dropyard.example/send"');
    expect(landing).toContain('<link rel="canonical" href="https://dropyard.example/">');
    expect(site.read('dist/404.html')).toBe(landing);
  });

  it('styles an element with a class that a script adds later', () => {
    site.edit('src/components/Footer.astro', '</footer>', '<p>plain</p></footer>');
    site.edit('src/components/Footer.astro', '<style>', '<style>.added { color: var(--lamp); }');
    expect(site.build().status).toBe(0);
    const html = site.read('dist/index.html');
    const [, scope] = /<p (data-astro-cid-\w+)>plain<\/p>/.exec(html) ?? [];
    expect(html).toContain(`.added[${scope}]{color:var(--lamp)}`);
  });

  it('is complete without scripts, and loads no external one', () => {
    for (const page of pages()) {
      const html = site.read(page);
      expect(html).toMatch(/<h1[^>]*>/);
      expect(html).not.toMatch(/<script[^>]+src=/);
      expect(html).toContain('<link rel="canonical"');
    }
    for (const page of ['about', 'terms-of-use', 'privacy-policy']) {
      expect(site.read(`dist/${page}/index.html`)).not.toContain('<script');
    }
  });
});
