import sitemap from '@astrojs/sitemap';
import type { AstroIntegration } from 'astro';

/** Lists the canonical URLs of the pages that search engines should index. */
export function listPages(): AstroIntegration {
  return sitemap({
    // These two are for a single member.
    filter: (page) => !/^\/(welcome|leave)\/?$/.test(new URL(page).pathname),
    serialize: (item) => ({ ...item, url: item.url.replace(/(?<=[^/]\/[^/]+)\/$/, '') }),
  });
}
