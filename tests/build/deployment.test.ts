import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploymentValues, SiteCopy } from './site-copy.ts';

let site: SiteCopy;
beforeAll(() => void (site = new SiteCopy()));
afterAll(() => site.remove());

it('a production build fails for values that are missing, empty or malformed, and names each of them', () => {
  const { status, output } = site.build({
    PUBLIC_SUPABASE_URL: '',
    PUBLIC_SUPPORT_PHONE: '',
    PUBLIC_SUPABASE_ANON_KEY: 'sb_secret_abc',
  });
  expect(status).toBe(1);
  expect(output).toContain('PUBLIC_SITE_URL is missing: set it to');
  expect(output).toContain('PUBLIC_SUPABASE_URL is empty');
  expect(output).toContain('PUBLIC_SUPPORT_PHONE is empty');
  expect(output).toContain('PUBLIC_SUPABASE_ANON_KEY is malformed');
  expect(output).not.toContain('sb_secret_abc');
});

describe('a production build', () => {
  let output: string;

  beforeAll(() => {
    site.edit('src/components/Footer.astro', '</footer>', '<p>plain</p></footer>');
    site.edit('src/components/Footer.astro', '<style>', '<style>.added { color: var(--lamp); }');
    const build = site.build({
      ...deploymentValues,
      PUBLIC_SUPPORT_EMAIL: 'help@elsewhere.test',
      PUBLIC_EMAIL_FUNCTION_URL: 'https://mail.dropyard.example/send',
    });
    expect(build.status, build.output).toBe(0);
    output = build.output;
  });

  it('lists the remaining placeholders, and contains the values', () => {
    expect(output).toContain('PUBLIC_SUPPORT_PHONE');
    expect(output).not.toContain('PUBLIC_SUPPORT_EMAIL');
    const landing = site.read('dist/index.html');
    expect(landing).toContain('mailto:help@elsewhere.test');
    expect(landing).toContain('action="https://mail.dropyard.example/send"');
    expect(landing).toContain('<link rel="canonical" href="https://dropyard.example/">');
    expect(site.read('dist/404.html')).toBe(landing);
  });

  it('styles an element with a class that a script adds later', () => {
    const html = site.read('dist/index.html');
    const [, scope] = /<p (data-astro-cid-\w+)>plain<\/p>/.exec(html) ?? [];
    expect(html).toContain(`.added[${scope}]{color:var(--lamp)}`);
  });

  it('is complete without scripts, and loads no external one', () => {
    for (const page of globSync('dist/**/*.html', { cwd: site.folder })) {
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
