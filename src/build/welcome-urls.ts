import type { IncomingMessage } from 'node:http';
import type { AstroIntegration } from 'astro';

/** Serves one page for every `/welcome/<name>` in development, like `public/_redirects` on the static host. */
export function welcomeUrls(): AstroIntegration {
  return {
    name: 'welcome-urls',
    hooks: {
      'astro:server:setup'({ server }) {
        // Before all other middleware: some of it rejects a malformed URL, but the page has its own message for that.
        server.httpServer?.prependListener('request', (request: IncomingMessage) => {
          if (/^\/welcome\/[^/?]+\/?(\?|$)/.test(request.url ?? '')) request.url = '/welcome';
        });
      },
    },
  };
}
