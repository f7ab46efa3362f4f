import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';

/**
 * Stops a build from bundling packages for the development server. That takes a second and writes into node_modules, where
 * two builds at once would collide.
 */
export function noPrebundling(): AstroIntegration {
  const name = 'no-prebundling';
  const plugin: Plugin = {
    name,
    configResolved({ environments }) {
      for (const { optimizeDeps } of Object.values(environments))
        Object.assign(optimizeDeps, { noDiscovery: true, include: [] });
    },
  };
  return {
    name,
    hooks: {
      'astro:config:setup'({ command, updateConfig }) {
        if (command !== 'dev') updateConfig({ vite: { plugins: [plugin] } });
      },
    },
  };
}
