import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import satori from 'satori';

const files = {
  stencil: '@fontsource/big-shoulders-stencil/files/big-shoulders-stencil-latin-900-normal.woff',
  signs: '@fontsource/big-shoulders/files/big-shoulders-latin-800-normal.woff',
  // Satori takes letters such as ł and ž from here.
  others: '@fontsource/big-shoulders/files/big-shoulders-latin-ext-800-normal.woff',
};

const { resolve } = createRequire(import.meta.url);

/** The fonts of the site for pictures, with their data. Always the same array, because Satori parses each array once. */
export const fonts = await Promise.all(
  Object.entries(files).map(async ([name, file]) => ({ name, data: await readFile(resolve(file)) })),
);

/** Returns the words if the fonts have all their letters, and otherwise nothing: a missing letter would be drawn as a box. */
export async function keepDrawable(words: string): Promise<string> {
  let isDrawable = true;
  // Satori asks for a font, or for the picture of an emoji.
  const loadAdditionalAsset = async () => {
    isDrawable = false;
    return [];
  };
  await satori(<div>{words}</div>, { width: 1, height: 1, fonts, loadAdditionalAsset });
  return isDrawable ? words : '';
}

/**
 * Turns words into the outlines of stencil letters, so that a picture needs no font: the data of a path, centered in a face of this
 * width and height. The origin is its upper left corner.
 */
export async function stencil(words: string, size: number, width: number, height = width): Promise<string> {
  const face = { display: 'flex', justifyContent: 'center', alignItems: 'center', width, height };
  const style = { ...face, fontFamily: 'stencil', fontSize: size, lineHeight: 1 };
  const drawing = await satori(<div style={style}>{words}</div>, { width, height, fonts });
  const outlines = [...drawing.matchAll(/<path[^>]* d="([^"]+)"/g)].map(([, data = '']) => data);
  return outlines.join('').replace(/\d+\.\d+/g, (length) => String(Math.round(Number(length) * 10) / 10));
}
