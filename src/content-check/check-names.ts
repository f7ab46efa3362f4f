import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'astro/zod';
import { type Collection, collections } from './collections.ts';
import type { Mistake } from './fault.ts';
import { findNearest } from './nearest.ts';
import { readSource } from './read-source.ts';

const all: Collection[] = Object.values(collections);

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
export function findStrayFiles(root: string): Mistake[] {
  const files = globSync('content/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  // Several files of a wrong folder are one mistake.
  const strays = new Map(
    files.flatMap((file) => {
      const [place, message] = judge(root, file) ?? [];
      return place && message ? [[place, { file: place, line: 1, message }] as const] : [];
    }),
  );
  return [...strays.values()];
}

/** Returns the right folder for a file with these fields, as the end of a message; `undefined` when there is none. */
export function findHome(fields: object): string | undefined {
  const homes = all.filter(({ noun, schema }) => noun && hasFieldsOf(schema, fields));
  if (homes.length === 0) return undefined;
  const nouns = [...new Set(homes.map(({ noun }) => noun))].join(' or ');
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

/** Returns what no page shows, a file or its whole folder, and a message about it. */
function judge(root: string, file: string): [place: string, message: string] | undefined {
  const name = basename(file);
  const folder = dirname(file).slice('content/'.length);
  const here = all.filter((one) => one.folder === folder);
  const folders = all.map((one) => one.folder);
  const meant = here.length === 0 && findNearest(folder.split('/')[0] ?? '', folders);
  if (meant) return [`content/${folder}/`, `No page shows this folder. Did you mean content/${meant}/?`];

  const isWriting = /\.(mdx?|txt|docx?|rtf|odt|pages)$|^[^.]+$/i.test(name);
  const right = `${slug(name.replace(/(\.(mdx?|txt|docx?|rtf|odt|pages))+$/i, '')) || 'my-words'}.mdx`;
  const isItem = here.some((one) => one.name === undefined);
  const known = here.map((one) => `${one.name}.mdx`);
  const target = isItem ? right : findNearest(right, known);
  if (name === target) return undefined;
  if (/\.(png|jpe?g|webp|avif|svg|gif)$/i.test(name))
    return [file, 'Pictures belong in public/. Move it there.'];
  const home = isWriting && !target && findHome(readSource(readFileSync(join(root, file), 'utf8')).fields);
  if (home) return [file, home];
  if (!isWriting || !target) {
    return [file, 'No page shows this file. Remove it, or move its words into a file that a page shows.'];
  }
  return [
    file,
    /\.(docx?|rtf|odt|pages)$/i.test(name)
      ? `Save the words as plain text, under the name ${target}.`
      : `No page shows a file of this name. Did you mean ${target}? Names have small letters, digits and hyphens, and end with .mdx.`,
  ];
}

function slug(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
