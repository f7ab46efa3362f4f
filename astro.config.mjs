import { fileURLToPath } from 'node:url';
import { unified } from '@astrojs/markdown-remark';
import mdx from '@astrojs/mdx';
import react from '@astrojs/react';
import { defineConfig, fontProviders } from 'astro/config';
import { contentRules } from './src/content-rules.ts';
import { welcomeEmail } from './src/email/integration.ts';
import { environment, environmentSchema } from './src/environment.ts';
import { facts } from './src/facts.ts';
import { intentDirective } from './src/islands/intent-directive.ts';
import { welcomeAddresses } from './src/welcome-addresses.ts';

export default defineConfig({
  trailingSlash: 'ignore',
  cacheDir: './.astro/cache',
  env: { schema: environmentSchema },
  markdown: { processor: unified({ remarkPlugins: [[contentRules, facts]] }) },
  integrations: [environment(), welcomeEmail(), intentDirective(), mdx(), react(), welcomeAddresses()],
  build: { inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  fonts: [
    {
      provider: fontProviders.local(),
      name: 'Big Shoulders',
      cssVariable: '--font-big-shoulders',
      fallbacks: ['Impact', 'sans-serif'],
      options: {
        variants: [
          {
            weight: '100 900',
            style: 'normal',
            src: ['@fontsource-variable/big-shoulders/files/big-shoulders-latin-wght-normal.woff2'],
          },
        ],
      },
    },
  ],
  vite: {
    resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
    // Says the same of every MDX entry, and of nothing that could be changed there.
    build: { rolldownOptions: { checks: { moduleLevelDirective: false } } },
  },
});
