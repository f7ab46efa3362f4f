import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import sharp from 'sharp';
import { makeOnce } from './cache.ts';
import { readToken } from '../styles/tokens.ts';
import { compactDashboard, compactYard, type PictureFile } from './files.ts';

// Pictures as pixels, for phones and tablets. An SVG file is a document of its own, which blocks a slow device while it is
// drawn.

/** The yard on the surface of each scheme (transparent, it would be twice as large), and the part of the dashboard on phones. */
export const [nightYard, dayYard, flatDashboard] = await Promise.all([
  flatten(compactYard, 900, readToken('surface', 'night')),
  flatten(compactYard, 900, readToken('surface', 'day')),
  flatten(compactDashboard, 960, readToken('surface')),
]);

/** Makes an AVIF file of a picture, `pixels` wide. The width and height that it returns are those of the drawing. */
async function flatten({ path, svg, width, height }: PictureFile, pixels: number, background: string) {
  const data = await makeOnce(['flat', svg, pixels, background, sharp.versions], () =>
    sharp(Buffer.from(svg), { density: 144 })
      .resize(pixels)
      .flatten({ background })
      // The usual effort of 4 takes three times as long, for 7 % of the bytes.
      .avif({ quality: 43, effort: 3 })
      .toBuffer(),
  );
  const [name] = basename(path).split('.');
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 6);
  return { path: `/pictures/${name}.${hash}.avif`, data, width, height } as const;
}
