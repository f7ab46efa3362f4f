import { deployment } from '~/deployment';

/** Allows every crawler and gives the URL of the sitemap. */
export function GET(): Response {
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${deployment.siteUrl}/sitemap-index.xml\n`);
}
