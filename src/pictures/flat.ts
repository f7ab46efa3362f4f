import { createHash } from 'node:crypto';
import sharp, { type Color } from 'sharp';
import { makeOnce } from '../build-cache.ts';
import { readToken } from '../styles/tokens.ts';
import { pictureFiles, toFile } from './files.tsx';
import { drawYard } from './yard.tsx';

// Pictures as pixels, for phones. An SVG file is a document of its own, which blocks a slow phone while it is drawn.

const { svg, width, height } = toFile('yard', await drawYard(true));
const night = readToken('surface', 'night');
const day = readToken('surface', 'day');

/** The yard on the surface of each scheme: with transparency, the file would be twice as large. */
export const flatYard = {
  night: await flatten('yard', svg, { width: 900, quality: 43, background: night }),
  day: await flatten('yard', svg, { width: 900, quality: 43, background: day }),
  width,
  height,
} as const;

/** The picture of the drop card, at twice its width there. */
export const flatHarbor = await flatten('harbor', pictureFiles.harbor.svg, { width: 408, quality: 50 });

async function flatten(
  name: string,
  svg: string,
  { background, width, quality }: { width: number; quality: number; background?: Color },
) {
  const recipe = { density: 144, width, background, quality };
  const data = await makeOnce(['flat', svg, recipe, sharp.versions], () => {
    const pixels = sharp(Buffer.from(svg), { density: recipe.density }).resize(width);
    return (background ? pixels.flatten({ background }) : pixels).avif({ quality }).toBuffer();
  });
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 6);
  return { path: `/pictures/${name}.${hash}.avif`, data } as const;
}
