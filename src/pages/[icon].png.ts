import type { APIRoute, GetStaticPaths } from 'astro';
import sharp from 'sharp';
import icon from '../../public/icon.svg?raw';
import { readToken } from '~/styles/tokens';

const surface = readToken('surface');

/**
 * The mark as pixels: in emails, where few programs draw SVG, and on a background for devices, which round its corners. The URLs
 * never change, because emails keep them. Sizes are in pixels.
 */
const icons = {
  mark: { size: 108, share: 1, background: 'transparent' },
  'apple-touch-icon': { size: 180, share: 0.82, background: surface },
  'icon-512': { size: 512, share: 0.82, background: surface },
};

export const getStaticPaths = (() =>
  Object.entries(icons).map(([name, props]) => ({ params: { icon: name }, props }))) satisfies GetStaticPaths;

export const GET: APIRoute<(typeof icons)['mark']> = async ({ props: { size, share, background } }) => {
  const edge = Math.round(size * share);
  const mark = await sharp(Buffer.from(icon), { density: 72 * 16 })
    .resize(edge)
    .toBuffer();
  const picture = await sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: mark }])
    .png({ palette: true })
    .toBuffer();
  return new Response(new Uint8Array(picture), { headers: { 'Content-Type': 'image/png' } });
};
