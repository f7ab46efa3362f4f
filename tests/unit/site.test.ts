import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { footerSocial, emailSocial, site, social } from '~/site.ts';

describe('the facts of the site', () => {
  it('are the same in package.json', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(manifest).toMatchObject({ version: site.version, description: site.description });
  });

  it('name a different link for each social network, and show each network once', () => {
    const links = Object.values(social).map(({ link }) => link);
    expect(new Set(links).size).toBe(links.length);
    for (const shown of [footerSocial, emailSocial]) expect(new Set(shown).size).toBe(shown.length);
  });
});
