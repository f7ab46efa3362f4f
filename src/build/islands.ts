import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates the island when a visitor is about to use it. See intent.ts. */
    'client:intent'?: boolean;
  }
}

/** Adds React to Astro, with its renderer and all islands in one module, and the directive `client:intent`. */
export function islands(): AstroIntegration {
  const { name, hooks } = react();
  return {
    name,
    hooks: {
      ...hooks,
      'astro:config:setup'(options) {
        options.addClientDirective({ name: 'intent', entrypoint: './src/islands/intent.ts' });
        const addRenderer: typeof options.addRenderer = (renderer) =>
          options.addRenderer({ ...renderer, clientEntrypoint: '/src/islands/index.ts' });
        return hooks['astro:config:setup']?.({ ...options, addRenderer });
      },
    },
  };
}
