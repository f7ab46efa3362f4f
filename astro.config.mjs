import { unified } from '@astrojs/markdown-remark';
import mdx from '@astrojs/mdx';
import { defineConfig } from 'astro/config';
import { contentCheck } from './src/build/content-check.ts';
import { contentSyntax } from './src/content-model/syntax.ts';
import { welcomeEmail } from './src/build/welcome-email.ts';
import { environment, environmentSchema } from './src/build/environment.ts';
import { facts } from './src/content-model/facts.ts';
import { headers } from './src/build/headers/integration.ts';
import { islands } from './src/build/islands.ts';
import { prebundling } from './src/build/prebundling.ts';
import { listPages } from './src/build/sitemap.ts';
import { listFonts } from './src/styles/fonts.ts';

export default defineConfig({
  trailingSlash: 'ignore',
  // Each local stack has its own, because builds at the same time would overwrite each other's files.
  cacheDir: process.env.SITE_CACHE_DIR ?? './.astro/cache',
  env: { schema: environmentSchema },
  // Quotes stay as typed: Astro would curl those of texts, but not those of fields and of words in the code. No page shows
  // code, and the highlighter takes a while to load.
  markdown: {
    processor: unified({ gfm: false, remarkPlugins: [[contentSyntax, facts]], smartypants: false }),
    syntaxHighlight: false,
  },
  integrations: [environment(), contentCheck(), welcomeEmail(), mdx(), islands(), listPages(), headers()],
  // Lets the Astro extension of an editor complete and check the fields of content files.
  experimental: { contentIntellisense: true },
  build: { inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  fonts: listFonts(),
  vite: {
    plugins: [prebundling],
    build: {
      rolldownOptions: {
        // It warns about every MDX entry, and no change to an entry would satisfy it.
        checks: { moduleLevelDirective: false },
        // An island gets only those facts of src/config/site.ts that it reads.
        treeshake: { propertyReadSideEffects: false },
      },
    },
  },
});
