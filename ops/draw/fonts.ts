import { english } from '../../src/styles/fonts.ts';

type SubsetFont = (font: Buffer, letters: string, options: { targetFormat: 'woff2' }) => Promise<Buffer>;

/** Cuts a font down to the letters of English. */
export async function cutFont(font: Buffer): Promise<Buffer> {
  // A package of this folder alone, which the rest of the project does not install.
  const { default: subsetFont } = (await import('subset-font' as string)) as { default: SubsetFont };
  return subsetFont(font, String.fromCodePoint(...english.flatMap(readRange)), { targetFormat: 'woff2' });
}

/** Returns the code points of a `unicode-range`, such as "U+20-7E". */
function readRange(range: string): number[] {
  const [from = 0, to = from] = range
    .slice('U+'.length)
    .split('-')
    .map((point) => Number.parseInt(point, 16));
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
