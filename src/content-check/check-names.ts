import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'astro/zod';
import { type Collection, collections } from './collections.ts';
import type { Mistake } from './fault.ts';
import { findNearest } from './nearest.ts';

const all: Collection[] = Object.values(collections);

/** A file or folder that no page shows. `meant` is the one that the editor probably wanted, if its name is similar. */
interface Stray extends Mistake {
  meant?: string;
}

/** Returns the path pattern of a collection's files, relative to the root of the project. */
export function placeOf({ folder, name = '*' }: Collection): string {
  return `content/${folder}/${name}.mdx`;
}

/** Lists the items of a folder by name: their files without the ending. */
export function listItems(root: string, collection: Collection): string[] {
  return globSync(placeOf(collection), { cwd: root })
    .map((file) => basename(file, '.mdx'))
    .sort();
}

/** Lists the files and folders below content/ that no page shows, or whose name cannot be part of a URL. */
export function findStrayFiles(root: string, readFields: (file: string) => object): Stray[] {
  const files = globSync('content/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length).replaceAll('\\', '/'));
  const strays = new Map<string, Stray>();
  for (const file of files) {
    const found = judge(file, () => readFields(file));
    // Several files of a wrong folder are one mistake.
    if (found) strays.set(found.file ?? file, { file, line: 1, ...found });
  }
  return [...strays.values()];
}

/** Suggests the right folder for a file from its fields; `undefined` when they match no collection. */
export function findHome(fields: object): string | undefined {
  const homes = all.filter(({ noun, schema }) => noun && hasFieldsOf(schema, fields));
  if (homes.length === 0) return undefined;
  const nouns = [
    ...new Set(homes.map(({ noun = '' }) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`)),
  ].join(' or ');
  return `This looks like ${nouns}: move it to ${homes.map(({ folder }) => `content/${folder}/`).join(' or ')}.`;
}

/** Returns whether a file has every required field of a schema, and no unknown one. */
function hasFieldsOf({ shape }: z.ZodObject, fields: object): boolean {
  const mayBeMissing = (field: string) => z.safeParse(shape[field]!, undefined).success;
  return (
    Object.keys(fields).every((field) => field in shape) &&
    Object.keys(shape).every((field) => field in fields || mayBeMissing(field))
  );
}

function judge(
  file: string,
  readFields: () => object,
): { message: string; file?: string; meant?: string } | undefined {
  const name = basename(file);
  const right = `${slug(name.replace(/(\.(mdx?|txt|docx?|rtf|odt|pages))+$/i, '')) || 'my-words'}.mdx`;
  const isShown = all.some(
    (one) => file === placeOf({ ...one, name: one.name ?? name.replace(/\.mdx$/, '') }),
  );
  if (isShown) {
    if (name === right) return undefined;
    return { message: `A name may contain small letters, digits and single hyphens. Rename it to ${right}.` };
  }
  if (/\.(png|jpe?g|webp|avif|svg|gif)$/i.test(name)) {
    return { message: 'Pictures belong in public/. Move it there.' };
  }
  if (/\.(docx?|rtf|odt|pages)$/i.test(name)) {
    return { message: `Save the words as plain text, under the name ${right}.` };
  }
  const folder = dirname(file);
  const inFolder = all.filter((one) => folder === `content/${one.folder}`);
  const folders = all.map((one) => one.folder);
  const meantFolder = inFolder.length === 0 && findNearest(folder.split('/')[1] ?? '', folders);
  if (meantFolder) {
    const meant = `content/${meantFolder}/`;
    return { file: `${folder}/`, message: `No page shows this folder. Did you mean ${meant}?`, meant };
  }
  const known = inFolder.flatMap((one) => (one.name === undefined ? [] : [`${one.name}.mdx`]));
  const nearest = findNearest(right, known);
  const meant = nearest && `${folder}/${nearest}`;
  if (!/\.mdx$|\.(ini|db|bak|tmp)$|~$/i.test(name) || /\.MDX$/.test(name)) {
    const target = nearest ?? (known.length < inFolder.length ? right : undefined);
    const message = `The name must end with .mdx and nothing else. Rename it to ${target}.`;
    if (target) return { message, ...(meant && { meant }) };
  }
  if (meant) return { message: `No page shows this file. Did you mean ${nearest}?`, meant };
  const isText = /\.(mdx?|txt)$/i.test(name);
  const home = isText && findHome(readFields());
  if (home) return { message: home };
  const cure = isText
    ? 'Move its words into a file that a page shows, or ask a programmer to add a page.'
    : 'Remove it.';
  return { message: `No page shows this file. ${cure}` };
}

function slug(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
