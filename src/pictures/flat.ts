import { createHash } from 'node:crypto';
import sharp, { type Color } from 'sharp';
import { makeOnce } from './cache.ts';
import { readToken } from '../styles/tokens.ts';
import { compactYard, type PictureFile, pictureFiles } from './files.tsx';

// Pictures as pixels, for phones and tablets. An SVG file is a document of its own, which blocks a slow device while it is
// drawn.

/** The yard on the surface of each scheme: with transparency, the file would be twice as large. */
export const flatYard = {
  night: await flatten('yard', compactYard, {
    pixels: 900,
    quality: 43,
    background: readToken('surface', 'night'),
  }),
  day: await flatten('yard', compactYard, {
    pixels: 900,
    quality: 43,
    background: readToken('surface', 'day'),
  }),
} as const;

/** The picture of the drop card, at twice its width there. */
export const flatHarbor = await flatten('harbor', pictureFiles.harbor, { pixels: 408, quality: 50 });

/** Makes an AVIF file from a drawing, `pixels` wide. The width and height are those of the drawing. */
async function flatten(
  name: string,
  { svg, width, height }: PictureFile,
  { pixels, quality, background }: { pixels: number; quality: number; background?: Color },
) {
  const density = 144;
  const data = await makeOnce(['flat', svg, density, pixels, quality, background, sharp.versions], () => {
    const picture = sharp(Buffer.from(svg), { density }).resize(pixels);
    return (background ? picture.flatten({ background }) : picture).avif({ quality }).toBuffer();
  });
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 6);
  return { path: `/pictures/${name}.${hash}.avif`, data, width, height } as const;
}
