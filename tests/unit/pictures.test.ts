import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it, vi } from 'vitest';
import sharp from 'sharp';
import { examples, figures, site } from '~/config/site.ts';
import * as files from '~/pictures/files.ts';
import { drawShareCard } from '~/pictures/share-card.tsx';
import { readWords } from '../words.ts';

const { pictureFiles, fillBlanks, toFile } = files;
const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

const all = [...Object.values(pictureFiles), files.compactYard];

it.each(all)('$path has a rule for every class, and all colors', ({ svg }) => {
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(svg) ?? [];
  for (const [, names = ''] of svg.matchAll(/class="([^"]+)"/g))
    for (const name of names.split(' ')) expect(style).toMatch(new RegExp(`\\.${name}\\b[^{]*\\{`));
  expect(svg).not.toContain('var(');
  for (const [light] of svg.matchAll(/<stop class="(?:street|lamp)light[^]*?<\/\w+>/g))
    expect(light, 'fades').toContain('stop-opacity="0"');
});

it.each([
  ['name', { site: { ...site, name: 'Łódź 日本' } }, ['yard', 'yard-compact']],
  [
    'share',
    { figures: { ...figures, freeShare: `1${figures.freeShare}` } },
    ['card', 'yard', 'yard-compact'],
  ],
  ['price', { examples: { ...examples, prices: [5, examples.prices[1] + 9, 50] } }, ['card', 'crates']],
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

it('an unfilled blank stops the build with its name', () => {
  expect(() => fillBlanks('<path d="{{sing}}" />')).toThrow('sing');
});

it('no picture asks for its own width, because Firefox would never start an animation that depends on it', () => {
  for (const { svg } of Object.values(pictureFiles)) expect(svg).not.toMatch(/@media[^{]*width/);
});

it('a changed picture has a new name, because browsers keep the old one', () => {
  const draw = (title: string) => toFile('a', `<svg viewBox="0 0 1 1">${title}</svg>`).path;
  expect(draw('one')).not.toBe(draw('two'));
});

it('a share card has the picture of its page, and leaves out words that its fonts cannot draw', async () => {
  const draw = (title: string, picture?: 'letter') =>
    drawShareCard({ title, lede: 'What it is', ticket: 'Open', picture });
  const empty = await draw('');
  expect((await draw('', 'letter')).equals(empty)).toBe(false);
  for (const title of ['Η αγορά', '日本語', 'Drop 🎉']) expect((await draw(title)).equals(empty)).toBe(true);
  expect((await draw('Łódź')).equals(empty)).toBe(false);
});

it('a share card has room for the longest words', async () => {
  const card = await drawShareCard({ title: 'W'.repeat(121), lede: 'W'.repeat(160), ticket: 'W' });
  for (const [left, top, width, height] of [
    [0, 128, 600, 16],
    [0, 604, 600, 16],
    [128, 48, 12, 80], // between the mark and the name
  ] as const) {
    const beside = sharp(card).extract({ left, top, width, height }).removeAlpha();
    expect(Math.max(...(await beside.raw().toBuffer()))).toBeLessThan(99);
  }
});

it('an icon of a network is an outline alone, so that it can have the color of paper', () => {
  const brands = globSync('src/pictures/brands/*.svg', { cwd: root });
  expect(brands).not.toEqual([]);
  for (const file of brands) expect(read(file).match(/ d="/g), file).toHaveLength(1);
});

it('pictures, pages and style sheets have no colors but tokens, black and white', () => {
  const folders = '{pictures,pages,layouts,sections,components,islands,styles}';
  const sources = globSync(`src/${folders}/**/*.{ts,tsx,astro,css,svg}`, { cwd: root });
  const colors = [
    /#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b/i,
    /\b(rgba?|hsla?|hwb|(ok)?lab|(ok)?lch|color|color-mix)\(/i,
    /(color|shadow|background|border|outline|fill|stroke)[\w-]*["']?\s*[:=][^;{}]*\b(red|green|blue|gr[ae]y|orange|yellow|pink|purple|brown)\b/i,
  ];
  const found = sources.filter((file) => {
    // Comments, and references within a drawing, may look like colors.
    const code = read(file).replace(/\/\*[^]*?\*\/|^\s*\/\/.*$|url\(#[\w-]+\)/gm, '');
    return file !== 'src/styles/tokens.css' && colors.some((color) => color.test(code));
  });
  expect(sources.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

it('the share card of a page says what the page says', async () => {
  vi.resetModules();
  vi.doMock('~/content-model/entries', () => ({ readFields: readWords }));
  vi.doMock('~/pictures/share-card', () => ({ drawShareCard: ({ title }: { title: string }) => title }));
  const { getStaticPaths } = await import('~/pages/share/[page].png.ts');
  for (const { params, props } of await getStaticPaths()) {
    const entry = params.page.replace('landing', 'hero').replace(/-(.)/g, (_, first) => first.toUpperCase());
    expect(Object.values(readWords(entry as 'about')), params.page).toContain(await props.card);
  }
});
