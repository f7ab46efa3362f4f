import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findNearest } from './fields.ts';
import type { Kind } from './kinds.ts';
import type { Mistake } from './mistakes.ts';

/** Where a kind's file or files are, from the root of the project. */
export function placeOf({ folder, name = '*' }: Kind): string {
  return `content/${folder}/${name}.mdx`;
}

/** Lists the files below content/ that no page shows, or whose name cannot be the end of an address. */
export function findStrayFiles(root: string, kinds: Kind[]): Mistake[] {
  const files = globSync('content/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length));
  return files.flatMap((file) => {
    const message = refuse(file, kinds);
    return message ? [{ file, line: 1, message }] : [];
  });
}

function isOf(kind: Kind, file: string): boolean {
  if (kind.name !== undefined) return file === placeOf(kind);
  return dirname(file) === dirname(placeOf(kind)) && file.endsWith('.mdx');
}

function refuse(file: string, kinds: Kind[]): string | undefined {
  const name = basename(file);
  if (kinds.some((kind) => isOf(kind, file))) {
    return /^[a-z\d]+(-[a-z\d]+)*\.mdx$/.test(name)
      ? undefined
      : 'The name of the file may hold small letters, digits and single hyphens. Rename it.';
  }
  if (/\.mdx?$/i.test(name) && !name.endsWith('.mdx')) {
    return `The file is shown nowhere: its name must end with .mdx. Rename it to ${name.replace(/\.\w+$/, '.mdx')}.`;
  }
  const folder = kinds.filter((kind) => file.startsWith(`content/${kind.folder}/`));
  const nearest = findNearest(
    name,
    folder.map((kind) => basename(placeOf(kind))),
  );
  return `The file is shown nowhere. ${nearest ? `Did you mean ${nearest}?` : 'Remove it, or move it into a folder of items.'}`;
}
