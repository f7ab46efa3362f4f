import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fontProviders } from 'astro/config';
import { makeOnce } from '../build-cache.ts';

const folder = fileURLToPath(new URL('../../.astro/fonts/', import.meta.url));

/** The letters of English, and all others. A page that does not use the others never fetches them. */
const english: [string, ...string[]] = ['U+20-7E', 'U+2013-2014', 'U+2018-2019', 'U+201C-201D', 'U+2026'];
const others: [string, ...string[]] = [
  'U+A0-2012',
  'U+2015-2017',
  'U+201A-201B',
  'U+201E-2025',
  'U+2027-FFFF',
];

/**
 * Splits one weight of a font package into two families: `--font-<name>` has the letters of English, so that a page can
 * preload it, and `--font-<name>-more` has the rest. List both in `font-family`, followed by their fallback.
 *
 * @param name The name of the font, for example "Big Shoulders".
 */
export async function cutFont(name: string, cssVariable: `--font-${string}`, weight: number) {
  const id = name.toLowerCase().replaceAll(' ', '-');
  const whole = createRequire(import.meta.url).resolve(
    `@fontsource/${id}/files/${id}-latin-${weight}-normal.woff2`,
  );
  const letters = String.fromCodePoint(...english.flatMap(readRange));
  const font = await readFile(whole);
  const cut = await makeOnce(['font', font.toString('base64'), letters], async () => {
    // Imported only when needed, because the engine takes longer to start than to cut a font.
    const { default: subsetFont } = await import('subset-font');
    return subsetFont(font, letters, { targetFormat: 'woff2' });
  });
  const family = (
    name: string,
    cssVariable: `--${string}`,
    file: string,
    unicodeRange: [string, ...string[]],
  ) => ({
    provider: fontProviders.local(),
    name,
    cssVariable,
    fallbacks: [],
    options: { variants: [{ weight, style: 'normal', src: [file], unicodeRange }] },
  });
  return [
    family(name, cssVariable, await keep(`${id}-${weight}.woff2`, cut), english),
    family(`${name} More`, `${cssVariable}-more`, whole, others),
  ];
}

/** Returns the code points of a `unicode-range`, such as "U+20-7E". */
function readRange(range: string): number[] {
  const [from = 0, to = from] = range
    .slice('U+'.length)
    .split('-')
    .map((point) => Number.parseInt(point, 16));
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/**
 * Writes a file in one step, because two builds may run at once, and only when it has changed, because a newer one restarts
 * the development server. Returns its path.
 */
async function keep(name: string, data: Buffer): Promise<string> {
  const path = `${folder}${name}`;
  const kept = await readFile(path).catch(() => undefined);
  if (kept?.equals(data)) return path;
  await mkdir(folder, { recursive: true });
  await writeFile(`${path}.${process.pid}`, data);
  await rename(`${path}.${process.pid}`, path);
  return path;
}
