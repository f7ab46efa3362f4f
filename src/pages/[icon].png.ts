import type { APIRoute, GetStaticPaths } from 'astro';
import sharp from 'sharp';
import { readToken } from '~/styles/tokens';
import mark from '../../public/icon.svg?raw';

/** The PNG icons of home screens and of the structured data, with their width and height in pixels. */
const sizes = { 'apple-touch-icon': 180, 'icon-512': 512 };

const MARK = 0.64; // of the edge, because devices round the corners of icons

export const getStaticPaths = (() =>
  Object.entries(sizes).map(([icon, size]) => ({
    params: { icon },
    props: { size },
  }))) satisfies GetStaticPaths;

/** The mark on a background: devices add their own behind a transparent picture. */
export const GET: APIRoute<{ size: number }> = async ({ props: { size } }) => {
  const edge = Math.round(size * MARK);
  const source = Buffer.from(mark);
  const { width } = await sharp(source).metadata();
  // Drawn at the final size, because enlarged pixels would blur.
  const drawn = sharp(source, { density: (72 * edge) / width }).resize(edge);
  const icon = await sharp({
    create: { width: size, height: size, channels: 3, background: readToken('surface') },
  })
    .composite([{ input: await drawn.toBuffer() }])
    .png({ palette: true })
    .toBuffer();
  return new Response(new Uint8Array(icon), { headers: { 'Content-Type': 'image/png' } });
};
