import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Collection, collections } from '../collections.ts';
import { findNearest } from '../../../shared/nearest.ts';
import { type Entry, type Mistake, readSource } from './read-source.ts';

const all: Collection[] = Object.values(collections);

/** The endings of files that contain words. */
const ofWords = /\.(mdx?|txt|docx?|rtf|odt|pages)\b.*/gi;

/** Lists the files and folders below content/ that no page shows, or whose name cannot be part of a URL. */
export function findStrayFiles(root: string): Mistake[] {
  const files = globSync('content/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const strays = files.flatMap((file) => judge(root, file) ?? []);
  // Several files in a wrong folder count as one mistake.
  return [...new Map(strays.map((stray) => [stray.file, stray])).values()];
}

/** Explains why an item belongs in another folder; `undefined` when it does not, or when no folder takes its fields. */
export function explainStray({ fields, collection }: Entry): string | undefined {
  const known = Object.keys(collection.schema.shape);
  if (collection.name || Object.keys(fields).every((field) => known.includes(field))) return undefined;
  const home = findHome(fields);
  return home && `${home} If it belongs here, its fields are: ${known.join(', ')}.`;
}

/** Returns a message with the folder where a file with these fields belongs; `undefined` when there is none. */
function findHome(fields: object): string | undefined {
  const homes = all.filter(({ name, schema }) => !name && schema.safeParse(fields).success);
  const folders = homes.map(({ folder }) => `content/${folder}/`).join(' or ');
  return folders ? `These fields belong to a file in ${folders}. Move it there.` : undefined;
}

/** Returns what is wrong with the name or the folder of a file; `undefined` when a page shows it. */
function judge(root: string, file: string): Mistake | undefined {
  const folder = dirname(file).slice('content/'.length);
  const here = all.filter((one) => one.folder === folder);
  const folders = all.map((one) => one.folder);
  const meant = here.length === 0 && findNearest(folder.split('/')[0] ?? '', folders);
  if (meant) {
    const message = `No page shows this folder. Did you mean content/${meant}/?`;
    return { file: `content/${folder}/`, line: 1, message };
  }
  const name = basename(file);
  const stem = name.normalize('NFD').replace(/\p{M}/gu, '').replace(ofWords, '').toLowerCase();
  const right = `${stem.match(/[a-z\d]+/g)?.join('-') ?? 'my-words'}.mdx`;
  const known = here.map((one) => `${one.name}.mdx`);
  const target = here.some((one) => one.name === undefined) ? right : findNearest(right, known);
  if (name === target) return undefined;
  const hasWords = !name.includes('.') || name.search(ofWords) >= 0;
  const home = target ? undefined : findHome(readSource(readFileSync(join(root, file), 'utf8')).fields);
  const message =
    target && hasWords
      ? `No page shows a file with this name. Did you mean ${target}? Use lowercase letters, digits and hyphens, end the name with .mdx, and save the words as plain text.`
      : (home ?? 'No page shows this file. Remove it, or move it: pictures belong in public/.');
  return { file, line: 1, message };
}
