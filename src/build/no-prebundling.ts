import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';

/**
 * Stops a build from bundling packages for the development server. That takes a second and writes into node_modules, where
 * two builds at once would collide.
 */
export function noPrebundling(): AstroIntegration {
  return {
    name: 'no-prebundling',
    hooks: {
      'astro:config:setup'({ command, updateConfig }) {
        if (command !== 'dev') updateConfig({ vite: { plugins: [plugin] } });
      },
    },
  };
}

const plugin: Plugin = {
  name: 'no-prebundling',
  configResolved({ environments }) {
    for (const { optimizeDeps } of Object.values(environments))
      Object.assign(optimizeDeps, { noDiscovery: true, include: [] });
  },
};
