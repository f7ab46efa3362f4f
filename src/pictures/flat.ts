import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { makeOnce } from '../build-cache.ts';
import { readToken } from '../styles/tokens.ts';
import { toFile } from './files.tsx';
import { drawYard } from './yard.tsx';

const { svg, width, height } = toFile('yard', await drawYard(true));

/** The yard as pixels, for phones: drawing the SVG would block them while a visitor wants to type. */
export const flatYard = { night: await flatten('night'), day: await flatten('day'), width, height } as const;

/** Draws it on the surface of a scheme: with transparency, the file would be twice as large. */
async function flatten(scheme: 'night' | 'day') {
  const recipe = { density: 144, width: 900, background: readToken('surface', scheme), quality: 43 };
  const data = await makeOnce(['flat', svg, recipe, sharp.versions], () =>
    sharp(Buffer.from(svg), { density: recipe.density })
      .resize(recipe.width)
      .flatten({ background: recipe.background })
      .avif({ quality: recipe.quality })
      .toBuffer(),
  );
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 6);
  return { path: `/pictures/yard.${hash}.avif`, data } as const;
}
