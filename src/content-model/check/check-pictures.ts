import { globSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Image } from 'mdast';
import sharp from 'sharp';
import { findNearest } from '../nearest.ts';

const heaviest = 500; // KB

/** Lists the files of a folder by their paths, with why each is unsuitable as a picture. */
export async function listPictures(folder: string) {
  const files = globSync('**/*.*', { cwd: folder });
  const faults = await Promise.all(files.map((file) => explainFile(join(folder, file))));
  return new Map(files.map((file, index) => [`/${file}`, faults[index]]));
}

/** Explains why a picture is missing, unsuitable or lacks a description. */
export function checkPicture({ url, alt }: Image, files: Map<string, string | undefined>) {
  const path = decode(url);
  if (!files.has(path)) {
    const meant = findNearest(`/${basename(path)}`, [...files.keys()]);
    const advice = meant ? `Did you mean ${meant}?` : 'Put it into public/.';
    return `There is no picture ${path}. ${advice} Write its path without public/: ![what it shows](/file.jpg).`;
  }
  if (alt?.trim() && !/\.\w{3,4}$|^(image|img|photo|picture|screenshot)[\s_-]*\d*$/i.test(alt))
    return files.get(path);
  return 'The picture has no description for people who cannot see it: ![what it shows](/file.png).';
}

/** Explains why a file is unsuitable as a picture, by its content, whatever its name. */
async function explainFile(path: string): Promise<string | undefined> {
  const name = basename(path);
  const metadata = sharp(path).metadata();
  const found = await metadata.catch(() => undefined);
  const isShown = /^(jpeg|png|webp|gif|svg)$/.test(found?.format ?? '') || found?.compression === 'av1';
  if (!isShown) return `${name} is damaged, or a format that most browsers cannot show. Export it as JPEG.`;
  const size = Math.ceil(statSync(path).size / 1000);
  if (size > heaviest) return `${name} has ${size.toLocaleString('en')} KB. Make it at most ${heaviest} KB.`;
  return undefined;
}

/** Decodes a path as a browser does: /gr%C3%B6%C3%9Fe.png is the file größe.png. */
export function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
