import type { Plugin } from 'vite';

/**
 * Bundles packages for the development server only, without the renderer, which Astro lists as if it were one. A build would
 * take a second for it, and write into node_modules, where two builds at once would collide.
 */
export const prebundling: Plugin = {
  name: 'prebundling',
  configResolved({ mode, environments }) {
    for (const { optimizeDeps } of Object.values(environments))
      if (mode === 'development')
        optimizeDeps.include = optimizeDeps.include?.filter((name) => !name.startsWith('/'));
      else Object.assign(optimizeDeps, { noDiscovery: true, include: [] });
  },
};
