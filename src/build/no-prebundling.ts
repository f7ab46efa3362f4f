import type { Plugin } from 'vite';

/**
 * Stops a build from bundling packages for the development server. That takes a second and writes into node_modules, where
 * two builds at once would collide.
 */
export const noPrebundling: Plugin = {
  name: 'no-prebundling',
  apply: (_config, { mode }) => mode !== 'development',
  configResolved({ environments }) {
    for (const { optimizeDeps } of Object.values(environments))
      Object.assign(optimizeDeps, { noDiscovery: true, include: [] });
  },
};
