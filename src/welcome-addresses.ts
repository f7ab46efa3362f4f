import type { IncomingMessage } from 'node:http';
import type { AstroIntegration } from 'astro';

/** Does in development what `public/_redirects` does on the static host: one page for every `/welcome/<name>`. */
export function welcomeAddresses(): AstroIntegration {
  return {
    name: 'welcome-addresses',
    hooks: {
      'astro:server:setup'({ server }) {
        // In front of all middleware: some of it refuses an address that cannot be decoded, and the page speaks of it.
        server.httpServer?.prependListener('request', (request: IncomingMessage) => {
          if (/^\/welcome\/[^/?]+\/?(\?|$)/.test(request.url ?? '')) request.url = '/welcome';
        });
      },
    },
  };
}
