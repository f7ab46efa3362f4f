import sitemap from '@astrojs/sitemap';
import type { AstroIntegration } from 'astro';
import { unlistedPages } from '../config/site.ts';

/** Lists the canonical URLs of the pages that search engines should index. */
export function listPages(): AstroIntegration {
  return sitemap({
    filter: (page) => !unlistedPages.includes(new URL(page).pathname.replace(/\/$/, '')),
    serialize: (item) => ({ ...item, url: item.url.replace(/(?<=[^/]\/[^/]+)\/$/, '') }),
  });
}
