import { globSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Collection, collections } from '../collections.ts';
import { findNearest } from '../../../shared/nearest.ts';
import type { FileProblem } from './problem.ts';

const all: Collection[] = Object.values(collections);

/** Lists the files below content/ that no page shows, or whose name cannot be part of a URL. */
export function findStrayFiles(root: string): FileProblem[] {
  return globSync('content/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const file = relative(root, join(parentPath, name)).replaceAll('\\', '/');
      const right = findRightName(file);
      if (file === right) return [];
      const message = `No page shows this file. ${right ? `Did you mean ${right}? ` : ''}Use lowercase letters, digits and hyphens, and end the name with .mdx. Pictures belong in public/. A new page, section or language needs a programmer.`;
      return { file, line: 1, message };
    });
}

/** Finds the path that a file should have; `undefined` when none is similar, or when it is a picture. */
function findRightName(file: string): string | undefined {
  if (/\.(avif|gif|hei[cf]|jpe?g|png|svg|webp)$/i.test(file)) return undefined;
  const folders = all.map((one) => one.folder);
  const folder = findNearest(dirname(file).slice('content/'.length), folders);
  const letters = basename(file)
    .normalize('NFD')
    .replace(/\p{M}|\..*/gu, '')
    .toLowerCase();
  const bare = letters.match(/[a-z\d]+/g)?.join('-') ?? 'my-words';
  const names = all.filter((one) => one.folder === folder).map(({ name = bare }) => name);
  const name = findNearest(bare, names);
  return name && `content/${folder}/${name}.mdx`;
}
