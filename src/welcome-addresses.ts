import type { AstroIntegration } from 'astro';
import type { Connect } from 'vite';

/** Does in development what `public/_redirects` does on the static host: one page for every `/welcome/<name>`. */
export function welcomeAddresses(): AstroIntegration {
  return {
    name: 'welcome-addresses',
    hooks: {
      'astro:server:setup'({ server }) {
        const handle: Connect.NextHandleFunction = (request, _response, next) => {
          if (/^\/welcome\/[^/?]+\/?(\?|$)/.test(request.url ?? '')) request.url = '/welcome';
          next();
        };
        // In front of all others: some of them refuse an address that cannot be decoded, and the page speaks of it.
        server.middlewares.stack.unshift({ route: '', handle });
      },
    },
  };
}
