import type { APIRoute } from 'astro';
import sharp from 'sharp';
import icon from '../../public/icon.svg?raw';

/** The mark in emails, where few programs draw SVG: three pixels for one. Its URL never changes, because emails keep it. */
export const GET: APIRoute = async () => {
  const mark = await sharp(Buffer.from(icon), { density: 72 * 4 })
    .resize(108)
    .png({ palette: true })
    .toBuffer();
  return new Response(new Uint8Array(mark), { headers: { 'Content-Type': 'image/png' } });
};
