import type { AstroIntegration } from 'astro';

/** Does in development what `public/_redirects` does on the static host: one page for every `/welcome/<name>`. */
export function welcomeAddresses(): AstroIntegration {
  return {
    name: 'welcome-addresses',
    hooks: {
      'astro:server:setup'({ server }) {
        server.middlewares.use((request, _response, next) => {
          if (/^\/welcome\/[^/?]+\/?(\?|$)/.test(request.url ?? '')) request.url = '/welcome';
          next();
        });
      },
    },
  };
}
