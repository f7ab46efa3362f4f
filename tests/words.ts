import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { z } from 'astro/zod';
import { collections, pathOf } from '../src/content-model/collections.ts';
import { readContent } from '../src/content-model/files.ts';

const root = resolve(import.meta.dirname, '..');

type Files = typeof collections;
type Named = { [Name in keyof Files]: Files[Name] extends { name: string } ? Name : never }[keyof Files];
type Folder = Exclude<keyof Files, Named | 'announcements'>;
type Words<Name extends keyof Files> = z.output<Files[Name]['schema']>;

/**
 * Reads the words of a section or page from content/, as visitors read them. Tests expect these words, so that an editor
 * may change them.
 */
export function readWords<Name extends Named>(name: Name, of = root): Words<Name> {
  return readContent(of, pathOf(collections[name]), collections[name]).fields as Words<Name>;
}

/** Reads the words of all items in a folder of content/, sorted by `order`. */
export function readItems<Name extends Folder>(name: Name): Words<Name>[] {
  const files = globSync(pathOf(collections[name]), { cwd: root });
  return files
    .map((file) => readContent(root, file, collections[name]).fields as Words<Name>)
    .toSorted((a, b) => Number(a.order) - Number(b.order));
}

/** Reads the code in the first cells of the table of docs/operations.md that starts with a heading. */
export function readTable(heading: string): string[] {
  const docs = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const [, rest = ''] = docs.split(new RegExp(`^\\| ${heading} .*$`, 'm'));
  const rows = rest.trim().split('\n\n')[0]!.split('\n');
  return rows.flatMap((row) => /`([^`]+)`/.exec(row.split('|')[1] ?? '')?.[1] ?? []);
}
