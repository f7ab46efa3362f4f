import sitemap from '@astrojs/sitemap';
import type { AstroIntegration } from 'astro';

/** Lists the pages that search engines are to file, each under its canonical address. */
export function listPages(): AstroIntegration {
  return sitemap({
    // These two belong to one member each.
    filter: (page) => !/^\/(welcome|leave)\/?$/.test(new URL(page).pathname),
    serialize: (item) => ({ ...item, url: item.url.replace(/(?<=[^/]\/[^/]+)\/$/, '') }),
  });
}
