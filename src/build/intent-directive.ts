import type { AstroIntegration } from 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates the island when a visitor is about to use it. See intent.ts. */
    'client:intent'?: boolean;
  }
}

/** Adds the directive `client:intent` to Astro. */
export function intentDirective(): AstroIntegration {
  return {
    name: 'intent-directive',
    hooks: {
      'astro:config:setup'({ addClientDirective }) {
        addClientDirective({ name: 'intent', entrypoint: './src/islands/intent.ts' });
      },
    },
  };
}
