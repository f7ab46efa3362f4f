import { deployment } from '~/config/deployment';

export function GET(): Response {
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${deployment.siteUrl}/sitemap-index.xml\n`);
}
