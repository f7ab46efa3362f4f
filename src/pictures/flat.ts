import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { makeOnce } from './cache.ts';
import { readToken } from '../styles/tokens.ts';
import { compactYard } from './files.ts';

// Pictures as pixels, for phones and tablets. An SVG file is a document of its own, which blocks a slow device while it is
// drawn.

/** The yard on the surface of each scheme: with transparency, the file would be twice as large. */
export const flatYard = { night: await flatten('night'), day: await flatten('day') } as const;

/** Makes an AVIF file of the yard. The width and height are those of the drawing. */
async function flatten(scheme: 'night' | 'day') {
  const { svg, width, height } = compactYard;
  const background = readToken('surface', scheme);
  const data = await makeOnce(['flat', svg, background, sharp.versions], () =>
    sharp(Buffer.from(svg), { density: 144 })
      .resize(900)
      .flatten({ background })
      .avif({ quality: 43 })
      .toBuffer(),
  );
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 6);
  return { path: `/pictures/yard.${hash}.avif`, data, width, height } as const;
}
