import { globSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Collection, collections } from '../collections.ts';
import { findNearest } from '../../../shared/nearest.ts';
import type { FileProblem } from './problem.ts';

const all: Collection[] = Object.values(collections);

/** The endings of files that contain words. */
const ofWords = /\.(mdx?|txt|docx?|rtf|odt|pages)\b.*/gi;

const limits = 'A new page, section or language needs a programmer.';

/** Lists the files and folders below content/ that no page shows, or whose name cannot be part of a URL. */
export function findStrayFiles(root: string): FileProblem[] {
  const files = globSync('content/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const strays = files.flatMap((file) => checkName(file) ?? []);
  // Several files in a wrong folder count as one mistake.
  return [...new Map(strays.map((stray) => [stray.file, stray])).values()];
}

/** Explains what is wrong with the name or the folder of a file; `undefined` when a page shows it. */
function checkName(file: string): FileProblem | undefined {
  const folder = dirname(file).slice('content/'.length);
  const here = all.filter((one) => one.folder === folder);
  const folders = all.map((one) => one.folder);
  const meant = here.length === 0 && findNearest(folder.split('/')[0] ?? '', folders);
  if (meant) {
    const message = `No page shows this folder. Did you mean content/${meant}/? ${limits}`;
    return { file: `content/${folder}/`, line: 1, message };
  }
  const name = basename(file);
  const stem = name.normalize('NFD').replace(/\p{M}/gu, '').replace(ofWords, '').toLowerCase();
  const right = `${stem.match(/[a-z\d]+/g)?.join('-') ?? 'my-words'}.mdx`;
  const isItem = here.some((one) => one.name === undefined);
  const target = isItem
    ? right
    : findNearest(
        right,
        here.map((one) => `${one.name}.mdx`),
      );
  if (name === target) return undefined;
  const hasWords = !name.includes('.') || name.search(ofWords) >= 0;
  const message =
    target && hasWords
      ? `No page shows a file with this name. Did you mean ${target}? Use lowercase letters, digits and hyphens, end the name with .mdx, and save the words as plain text.${isItem ? '' : ` ${limits}`}`
      : `No page shows this file. Remove it, or move it: pictures belong in public/. ${limits}`;
  return { file, line: 1, message };
}
