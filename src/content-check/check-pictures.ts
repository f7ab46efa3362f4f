import { statSync } from 'node:fs';
import { basename } from 'node:path';
import sharp from 'sharp';

const heaviest = 500; // KB

/** Explains why a file is unsuitable as a picture, by what is in it, whatever its name; `undefined` when it is not. */
export async function findPictureFault(path: string): Promise<string | undefined> {
  const name = basename(path);
  // A file that is no picture at all has no format.
  const { format, compression } = await sharp(path)
    .metadata()
    .catch(() => ({ format: undefined, compression: undefined }));
  const isShown = /^(jpeg|png|webp|gif|svg)$/.test(format ?? '') || compression === 'av1';
  if (!isShown) return `${name} is a format that most browsers cannot show. Export it as JPEG.`;
  const size = statSync(path).size / 1000;
  if (size <= heaviest) return undefined;
  const shown = size < 1000 ? `${Math.ceil(size)} KB` : `${Math.round(size / 1000)} MB`;
  return `${name} has ${shown}. Make it at most ${heaviest} KB.`;
}
