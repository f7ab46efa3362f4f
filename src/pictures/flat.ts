import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { readToken } from '../styles/tokens.ts';
import { pictureFiles } from './files.tsx';

const data = await sharp(Buffer.from(pictureFiles.yard.svg), { density: 144 })
  .resize(900)
  .flatten({ background: readToken('surface') })
  .avif({ quality: 45 })
  .toBuffer();
const hash = createHash('sha256').update(data).digest('hex').slice(0, 8);

/** The yard in pixels, for phones: they would be busy with drawing it while somebody wants to type. */
export const flatYard = { path: `/pictures/yard.${hash}.avif`, data } as const;
