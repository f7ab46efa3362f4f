import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import satori from 'satori';

const files = {
  stencil: '@fontsource/big-shoulders-stencil/files/big-shoulders-stencil-latin-900-normal.woff',
  signs: '@fontsource/big-shoulders/files/big-shoulders-latin-800-normal.woff',
};

const { resolve } = createRequire(import.meta.url);

/** The fonts of the site as pictures need them, by name and as data. Always the same list: Satori reads a list once. */
export const fonts = await Promise.all(
  Object.entries(files).map(async ([name, file]) => ({ name, data: await readFile(resolve(file)) })),
);

/**
 * Turns words into the outlines of their stencil letters, so that a picture needs no font where it is shown.
 *
 * @returns The data of a path, centred in a line of this width whose upper left corner is the origin.
 */
export async function stencil(words: string, size: number, width: number): Promise<string> {
  const line = { display: 'flex', justifyContent: 'center', width, fontFamily: 'stencil', fontSize: size };
  const drawing = await satori(<div style={{ ...line, lineHeight: 1 }}>{words}</div>, {
    width,
    height: size,
    fonts,
  });
  const outlines = [...drawing.matchAll(/<path[^>]* d="([^"]+)"/g)].map(([, data = '']) => data);
  return outlines.join('').replace(/\d+\.\d+/g, (length) => String(Math.round(Number(length) * 10) / 10));
}
