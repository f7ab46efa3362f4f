import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { emailSocial, footerSocial, site, social, type SocialLink } from '~/site.ts';

describe('the facts of the site', () => {
  it('are the same in package.json', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(manifest).toMatchObject({ version: site.version, description: site.description });
  });

  it('name a different link for each social network', () => {
    const links = Object.values(social).map(({ link }) => link);
    expect(new Set(links).size).toBe(links.length);
  });

  it('list the social links of the footer and of the email in their order', () => {
    const names = (links: SocialLink[]) => links.map(({ icon }) => icon);
    expect(names(footerSocial)).toEqual(['discord', 'x', 'tiktok', 'youtube']);
    expect(names(emailSocial)).toEqual(['discord', 'tiktok', 'x', 'instagram', 'youtube']);
  });
});
