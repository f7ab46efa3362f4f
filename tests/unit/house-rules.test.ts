import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { refusals } from '../../functions/_shared/http.ts';
import { figures, placeholders, site, social } from '~/config/site.ts';
import { type Collection, collections } from '~/content-model/collections.ts';
import { facts } from '~/content-model/facts.ts';
import { componentNames } from '~/content-model/syntax.ts';
import { readTable } from '../words.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = (pattern: string) => globSync(pattern, { cwd: root });
const read = (file: string) => readFileSync(root + file, 'utf8');
const generated = 'shared/welcome.ts';

/** The folders of src/ in the order in which data flows. A folder may import from the ones before it. */
const rooms = [
  ...['config', 'styles', 'pictures', 'content-model', 'waitlist', 'emails', 'build'],
  ...['islands', 'components', 'layouts', 'sections', 'pages'],
];

/** The folders of ops/: each may import from the ones before it. The files beside them are used by all, or use all. */
const wing = ['stack', 'probe', 'deploy', 'commands'].map((folder) => `ops/${folder}`);
const floor = (path: string) => wing.findIndex((folder) => isIn(path, folder));

const rank = (path: string) => rooms.indexOf(/^src\/([\w-]+)\//.exec(path)?.[1] ?? 'content-model');
const isIn = (path: string, ...folders: string[]) => folders.some((folder) => path.startsWith(`${folder}/`));
const sources = files('{functions,ops,shared,src}/**/*.{ts,tsx,astro}');
const imports = sources.flatMap((file) => importsOf(file).map((target): [string, string] => [file, target]));

function importsOf(file: string): string[] {
  const found = read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].flatMap(([, name = '']) => {
    if (name.startsWith('../../src')) return [`src/${name.slice(2)}`];
    if (!name.startsWith('.')) return [];
    return [new URL(name, `file:///${file}`).pathname.slice(1)];
  });
}

describe('the code', () => {
  it.each<[rule: string, isBroken: (file: string, target: string) => boolean]>([
    [
      'src/ imports in one direction only',
      (file, target) => isIn(file, 'src') && isIn(target, 'src') && rank(target) > rank(file),
    ],
    ['ops/ imports in one direction only', (file, target) => floor(file) >= 0 && floor(target) > floor(file)],
    ['nothing imports a test', (_, target) => isIn(target, 'tests')],
    ['shared/ imports only itself', (file, target) => isIn(file, 'shared') && !isIn(target, 'shared')],
    [
      'functions/ import only themselves and shared/',
      (file, target) => isIn(file, 'functions') && !isIn(target, 'functions', 'shared'),
    ],
    [
      'only ops/ imports functions/',
      (file, target) => !isIn(file, 'functions', 'ops') && isIn(target, 'functions'),
    ],
    [
      'only pages and layouts read content',
      (file, target) =>
        target.startsWith('src/content-model/entries') && !isIn(file, 'src/pages', 'src/layouts'),
    ],
  ])('keeps the rule that %s', (_, isBroken) => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter((one) => isBroken(...one)).map((one) => one.join(' uses '))).toEqual([]);
  });

  it('contains the name of the product in one place only', () => {
    const mentions = files('{src,functions,shared,public}/**/*.*')
      .filter((file) => file !== generated)
      .flatMap((file) => (/\.(woff2|png|avif)$/.test(file) ? [] : read(file).split('\n')))
      // A URL may contain the name too, because other sites choose their own URLs.
      .filter((line) => line.replace(/https:\/\/[^\s']+/g, '').includes(site.name));
    expect(mentions).toEqual([`const name = '${site.name}';`]);
  });

  it('refers in its messages only to headings that exist', () => {
    const pointers = files('{functions,ops,shared,src}/**/*.{ts,tsx}').flatMap((file) => [
      ...read(file).matchAll(/\b(README|docs\/\w+)(?:\.md)?, “([^”]+)”/g),
    ]);
    expect(pointers).not.toEqual([]);
    for (const [pointer, file, heading = ''] of pointers)
      expect(read(`${file}.md`), pointer).toMatch(
        new RegExp(`^#+ (\\d+\\. )?${RegExp.escape(heading)}$`, 'm'),
      );
  });

  it('defines figures, links and contacts in one file', () => {
    const facts = [
      // 500 or 80% may be another figure.
      ...Object.values(figures).filter((figure) => /[^\d.%]/.test(figure)),
      ...Object.values(social).map(({ link }) => link),
      placeholders.PUBLIC_SUPPORT_EMAIL,
      placeholders.PUBLIC_SUPPORT_PHONE,
      placeholders.PUBLIC_POSTAL_ADDRESS,
    ];
    const repeated = files('src/**/*.{ts,tsx,astro}')
      .filter((file) => file !== 'src/config/site.ts')
      .flatMap((file) => facts.filter((fact) => read(file).includes(fact)).map((fact) => `${file}: ${fact}`));
    expect(repeated).toEqual([]);
  });

  it('ships only placeholders that cannot harm anyone', () => {
    expect(placeholders.PUBLIC_SUPPORT_PHONE).toMatch(/555-01\d\d$/);
    for (const address of Object.values(placeholders).filter((value) => value.includes('@')))
      expect(address).toMatch(/@[\w.]+\.example>?$/);
  });
});

describe('the docs', () => {
  const editing = read('docs/editing.md');
  const find = (pattern: RegExp) => new Set([...editing.matchAll(pattern)].map(([, found]) => found));

  it('tell editors about every folder, every file beside the folders, every fact and every component', () => {
    for (const { folder, name } of Object.values<Collection>(collections))
      expect(editing).toContain(`content/${folder}/${name ? `${name}.mdx` : '`'}`);
    expect(find(/\| `\{(\w+)\}` +\|/g)).toEqual(new Set(Object.keys(facts)));
    expect(find(/\| `<(\w+)/g)).toEqual(new Set(componentNames));
  });

  it('tell owners about every error code of the functions', () => {
    expect(new Set(readTable('code'))).toEqual(new Set(Object.keys(refusals)));
  });
});
