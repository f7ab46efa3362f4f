import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Root } from 'mdast';
import { questionAnchors } from '../site.ts';
import { checkFields } from './check-fields.ts';
import { findTypedFacts } from './check-figures.ts';
import { findLinkFaults, listHeadings, listTargets } from './check-links.ts';
import { findHome, findStrayFiles, placeOf } from './check-names.ts';
import { checkText } from './check-text.ts';
import { type Collection, collections } from './collections.ts';
import type { Fault, Mistake } from './fault.ts';
import { readBytes } from './read-bytes.ts';
import { readSource, type Source } from './read-source.ts';

interface Entry extends Source {
  file: string;
  collection: Collection;
  tree?: Root;
  /** Whether the file is in the right folder. */
  isAtHome: boolean;
}

/** Finds every mistake in the files below content/, sorted by file and line. */
export function findMistakes(root: string): { mistakes: Mistake[]; count: number } {
  const strays = findStrayFiles(root, (file) => readSource(readFileSync(join(root, file), 'utf8')).fields);
  const mistakes: Mistake[] = strays.map(({ file, line, message }) => ({ file, line, message }));
  const add = (file: string, faults: Fault[]) =>
    mistakes.push(...faults.map((fault) => ({ file, ...fault })));
  const entries = Object.values<Collection>(collections).flatMap((collection) => {
    const names = globSync(placeOf(collection), { cwd: root }).sort();
    const read = names.map((name) => readEntry(root, name.replaceAll('\\', '/'), collection, add));
    const isRenamed = strays.some(({ meant }) => meant && placeOf(collection).startsWith(meant));
    if (read.length === 0 && !isRenamed && !collection.mayBeEmpty) add(...describeGap(collection));
    if (!collection.name) mistakes.push(...findRepeated(read.filter(({ isAtHome }) => isAtHome)));
    return read;
  });
  const targets = listTargets(root);
  for (const { file, tree, collection } of entries) {
    const headings = tree && !collection.text?.isEmail ? listHeadings(tree) : [];
    const places = [...headings, ...listQuestion(collection, basename(file, '.mdx'))];
    for (const place of places) targets.places.get(collection.page)?.add(place);
  }
  for (const { file, tree, collection } of entries) {
    if (tree) add(file, findLinkFaults(tree, collection.page, targets));
  }
  const byPlace = (a: Mistake, b: Mistake) => a.file.localeCompare(b.file) || a.line - b.line;
  return { mistakes: mistakes.sort(byPlace), count: entries.length };
}

/** Formats mistakes, one per line: `file:line  message`, then how many there are. */
export function describeMistakes(mistakes: Mistake[]): string {
  const lines = mistakes.map(({ file, line, message }) => `${file}:${line}  ${message}`);
  return [...lines, '', count(mistakes.length, 'mistake')].join('\n');
}

/** Formats a count: `1 file`, `2 files`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function readEntry(
  root: string,
  file: string,
  collection: Collection,
  add: (file: string, faults: Fault[]) => void,
): Entry {
  const { code, faults } = readBytes(readFileSync(join(root, file)));
  const source = readSource(code);
  const entry = { ...source, file, collection, isAtHome: true };
  if (faults.length > 0) {
    add(file, faults);
    return entry;
  }
  const isUnknown = Object.keys(source.fields).some((key) => !(key in collection.schema.shape));
  const home = isUnknown && collection.noun && findHome(source.fields);
  if (home) {
    const own = Object.keys(collection.schema.shape).join(', ');
    add(file, [{ line: 1, message: `${home} If it belongs here, its fields are: ${own}.` }]);
    return { ...entry, isAtHome: false };
  }
  add(file, [
    ...source.faults,
    ...(source.faults.length > 0 ? [] : checkFields(source, collection)),
    ...findTypedFacts(code),
  ]);
  if (source.text === undefined) return entry;
  const { tree, faults: inText } = checkText(source.text, collection.text);
  add(file, inText);
  return tree ? { ...entry, tree } : entry;
}

function describeGap(collection: Collection): [file: string, faults: Fault[]] {
  return collection.name === undefined
    ? [`content/${collection.folder}/`, [{ line: 1, message: 'The folder needs at least one file.' }]]
    : [
        placeOf(collection),
        [{ line: 1, message: 'The file is missing, and the page needs it. Bring it back.' }],
      ];
}

/** Reports items of one folder that share an order, a title or a question. */
function findRepeated(entries: Entry[]): Mistake[] {
  const seen = new Map<string, string>();
  return entries.flatMap(({ file, fields, findLine }) =>
    ['order', 'title', 'question'].flatMap((field) => {
      if (!/string|number/.test(typeof fields[field]) || fields[field] === '') return [];
      const value = `${field} ${String(fields[field]).trim().toLowerCase()}`;
      const other = seen.get(value);
      seen.set(value, other ?? file);
      if (!other) return [];
      const message = `${other} has the same ${field}. Change the ${field} of one.`;
      return [{ file, line: findLine([field]), message }];
    }),
  );
}

/** Lists the anchor of a question on its page. */
function listQuestion({ folder }: Collection, id: string): string[] {
  const names = Object.keys(questionAnchors) as (keyof typeof questionAnchors)[];
  return names
    .filter((name) => collections[name].folder === folder)
    .map((name) => `${questionAnchors[name]}-${id}`);
}
