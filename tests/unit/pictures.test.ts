import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import axe from 'axe-core';
import sharp from 'sharp';
import { drawings, hashDrawing, recordFile } from '../../ops/draw/draw.ts';
import { examples, figures, site } from '~/config/site.ts';
import * as files from '~/pictures/files.ts';
import { pictograms } from '~/pictures/names.ts';
import { drawShareCard } from '~/pictures/share-card.tsx';

const { pictureFiles, fillBlanks, toFile } = files;
const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

const painted = '(?:[\\w-]*(?:color|shadow)|(?:background|border|outline)[\\w-]*|fill|stroke|mask)';
const rawColors = [
  /#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b/i,
  /\b(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color|color-mix)\(/i,
];
const paints = new RegExp(`\\b${painted}["']?\\s*[:=]([^;{}]*)`, 'gi');
/** Black and white are for masks and paper; the others take on the color of something else. */
const allowed = ['black', 'white', 'transparent', 'currentcolor'];

/** Axe's reader of colors, which its types leave out: https://github.com/dequelabs/axe-core/tree/develop/lib/commons/color */
type Reader = new () => { parseString(text: string): void };
const { Color } = (axe as unknown as { commons: { color: { Color: Reader } } }).commons.color;

function isColorName(word: string): boolean {
  try {
    new Color().parseString(word);
    return true;
  } catch {
    return false;
  }
}

/** Finds colors in a source, except in comments and in references within a drawing. */
function findColors(source: string): string[] {
  const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$|url\(#[\w-]+\)/gm, '');
  const named = [...code.matchAll(paints)].flatMap(([, value = '']) =>
    (value.match(/(?<![\w-])[a-z]+(?![\w-])/gi) ?? []).filter(
      (word) => !allowed.includes(word.toLowerCase()) && isColorName(word),
    ),
  );
  return [...rawColors.flatMap((raw) => raw.exec(code)?.[0] ?? []), ...named];
}

it.each(Object.values(pictureFiles))(
  '$path has a rule for every class, and no unresolved color',
  ({ svg }) => {
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(svg) ?? [];
    for (const [, names = ''] of svg.matchAll(/class="([^"]+)"/g))
      for (const name of names.split(' ')) expect(style).toMatch(new RegExp(`\\.${name}\\b[^{]*\\{`));
    expect(svg).not.toContain('var(');
  },
);

it('there is a picture for every name that content can choose', () => {
  for (const name of pictograms) expect(pictureFiles[name], name).toBeDefined();
});

it.each([
  ['name', { site: { ...site, name: 'Łódź 日本' } }, ['yard', 'yard-compact']],
  ['share', { figures: { ...figures, freeShare: '99%' } }, ['card', 'yard', 'yard-compact']],
  ['price', { examples: { ...examples, drops: [99] } }, ['card']],
])('another %s is in the pictures that show it', async (_, facts, expected) => {
  vi.resetModules();
  vi.doMock('~/config/site.ts', () => ({ site, figures, examples, ...facts }));
  const list = ({ pictureFiles, compactYard }: typeof files) =>
    Object.entries({ ...pictureFiles, 'yard-compact': compactYard });
  const before = Object.fromEntries(list(files));
  const changed = list(await import('~/pictures/files.ts')).filter(
    ([name, { svg }]) => svg !== before[name]?.svg,
  );
  expect(changed.map(([name]) => name).sort()).toEqual(expected);
});

it('a blank without a value stops the build and is named', () => {
  expect(() => fillBlanks('<path d="{{sing}}" />')).toThrow('sing');
});

it('no picture asks for its own width, because Firefox would never start an animation that depends on it', () => {
  for (const { svg } of Object.values(pictureFiles)) expect(svg).not.toMatch(/@media[^{]*width/);
});

it('a changed picture has a new name, because browsers keep the old one', () => {
  const draw = (title: string) => toFile('a', `<svg viewBox="0 0 1 1">${title}</svg>`).path;
  expect(draw('one')).not.toBe(draw('two'));
});

it('a share card leaves out words that its fonts cannot draw', async () => {
  const draw = (title: string) => drawShareCard({ title, lede: 'What it is', ticket: 'Open' });
  const empty = await draw('');
  for (const title of ['Η αγορά', '日本語', 'Drop 🎉']) expect((await draw(title)).equals(empty)).toBe(true);
  expect((await draw('Łódź')).equals(empty)).toBe(false);
});

it('a share card has room for the longest words', async () => {
  const card = await drawShareCard({ title: 'W'.repeat(121), lede: 'W'.repeat(160), ticket: 'W' });
  for (const top of [112, 604]) {
    const beside = sharp(card).extract({ left: 0, top, width: 600, height: 16 }).removeAlpha();
    expect(Math.max(...(await beside.raw().toBuffer()))).toBeLessThan(99);
  }
});

it('an icon of a network is an outline alone, so that it can have the color of paper', () => {
  const brands = globSync('src/pictures/brands/*.svg', { cwd: root });
  expect(brands).not.toEqual([]);
  for (const file of brands) expect(read(file).match(/ d="/g), file).toHaveLength(1);
});

it.each(drawings)('$file is what ops/draw would make: run it after a change', ({ file, inputs }) => {
  const drawn = JSON.parse(readFileSync(recordFile, 'utf8')) as Record<string, string>;
  expect(hashDrawing(inputs, readFileSync(resolve(root, file)))).toBe(drawn[file]);
});

describe('the colors', () => {
  it('are all tokens in pictures, pages and style sheets', () => {
    const sources = globSync(
      'src/{pictures,pages,layouts,sections,components,islands,styles}/**/*.{ts,tsx,astro,css,svg}',
      { cwd: root },
    ).filter((file) => file !== 'src/styles/tokens.css');
    expect(sources.length).toBeGreaterThan(50);
    expect(findColors('fill="red" color: rgb(0 0 0) border: 1px solid #fff')).toHaveLength(3);
    expect(sources.flatMap((file) => findColors(read(file)).map((raw) => `${file}: ${raw}`))).toEqual([]);
  });
});
