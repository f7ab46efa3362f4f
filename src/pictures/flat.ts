import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import sharp from 'sharp';
import { makeOnce } from './cache.ts';
import { readToken } from '../styles/tokens.ts';
import { compactDashboard, compactYard, type PictureFile } from './files.ts';

// Pictures as pixels, for phones and tablets. An SVG file is a document of its own, which blocks a slow device while it is
// drawn.

/** The yard on the surface of each scheme: with transparency, the file would be twice as large. */
export const flatYard = {
  night: await flatten(compactYard, 900, readToken('surface', 'night')),
  day: await flatten(compactYard, 900, readToken('surface', 'day')),
} as const;

/** The part of the dashboard that phones show. */
export const flatDashboard = await flatten(compactDashboard, 960, readToken('surface'));

/** Makes an AVIF file of a picture, `pixels` wide. The width and height that it returns are those of the drawing. */
async function flatten(
  { path: source, svg, width, height }: PictureFile,
  pixels: number,
  background: string,
) {
  const data = await makeOnce(['flat', svg, pixels, background, sharp.versions], () =>
    sharp(Buffer.from(svg), { density: 144 })
      .resize(pixels)
      .flatten({ background })
      .avif({ quality: 43 })
      .toBuffer(),
  );
  const [name] = basename(source).split('.');
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 6);
  return { path: `/pictures/${name}.${hash}.avif`, data, width, height } as const;
}
