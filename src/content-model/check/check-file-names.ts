import { globSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Collection, collections, pathOf } from '../collections.ts';
import { findNearest } from '../nearest.ts';
import type { FileProblem } from './problem.ts';

const all: Collection[] = Object.values(collections);

/** Lists the files below content/ that no page shows, or whose name cannot be part of a URL. */
export function findStrayFiles(root: string): FileProblem[] {
  // Not the copies, such as faq.mdx~, that text editors make while somebody types.
  return globSync('content/**/*[!~#]', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const file = relative(root, join(parentPath, name));
      const right = findRightName(file);
      let advice = 'A new page, section or language needs a programmer.';
      if (right)
        advice = `Did you mean ${right}? Use lowercase letters, digits and hyphens, and end the name with .mdx.`;
      if (/\.(avif|gif|hei[cf]|jpe?g|png|svg|webp)$/i.test(name)) advice = 'Pictures belong in public/.';
      return file === right ? [] : { file, line: 1, message: `No page shows this file. ${advice}` };
    });
}

/** Finds the path that a file should have; `undefined` when none is similar. */
function findRightName(file: string): string | undefined {
  const letters = basename(file.normalize('NFD').toLowerCase()).replace(/\p{M}|\..*/gu, '');
  const bare = letters.match(/[a-z\d]+/g)?.join('-') ?? 'my-words';
  const folders = all.map((one) => one.folder);
  const folder = findNearest(dirname(file).slice('content/'.length), folders);
  const homes = all.filter((one) => (folder ? one.folder === folder : one.name === bare));
  const names = homes.map(({ name = bare }) => name);
  const name = findNearest(bare, names);
  return name && pathOf({ folder: homes[0]!.folder, name });
}
