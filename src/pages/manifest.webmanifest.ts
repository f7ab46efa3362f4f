import { site } from '~/site';
import { readToken } from '~/styles/tokens';

/** The web app manifest, for devices that add the site to the home screen. */
export function GET(): Response {
  const manifest = {
    id: '/',
    name: site.name,
    short_name: site.name,
    description: site.description,
    lang: 'en',
    start_url: '/',
    display: 'browser',
    background_color: readToken('surface'),
    theme_color: readToken('steel'),
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
  };
  return new Response(JSON.stringify(manifest));
}
