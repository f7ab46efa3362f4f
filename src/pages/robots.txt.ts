import { deployment } from '~/deployment';

/** Lets every crawler in, and tells where the sitemap is. */
export function GET(): Response {
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${deployment.siteUrl}/sitemap-index.xml\n`);
}
