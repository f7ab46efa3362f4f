import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Root } from 'mdast';
import { findNearest, refuseField } from './fields.ts';
import { accordionNames, type Kind, kinds } from './kinds.ts';
import { findLinkFaults, listHeadings, listTargets } from './links.ts';
import { type Fault, readSource, type Source } from './read-source.ts';
import { findStrayFiles, placeOf } from './stray-files.ts';
import { findUnnamed, readText } from './read-text.ts';
import { findTypedFacts } from './typed-facts.ts';

/** What is wrong in a content file, and what to do about it. */
export interface Mistake extends Fault {
  /** From the root of the project. */
  file: string;
}

interface ReadFile extends Source {
  file: string;
  id: string;
  kind: Kind;
  tree: Root | undefined;
}

/** Finds every mistake in the files below content/ of a project, in the order of files and lines. */
export function findMistakes(root: string): { mistakes: Mistake[]; count: number } {
  const mistakes: Mistake[] = findStrayFiles(root, Object.values(kinds));
  const files = Object.values(kinds).flatMap((kind) => readKind(root, kind, mistakes));
  const targets = listTargets(root);
  for (const { tree, id, kind } of files) {
    const places = [...(tree ? listHeadings(tree) : []), ...listQuestion(kind, id)];
    for (const place of places) targets.places.get(kind.page)?.add(place);
  }
  for (const { file, tree, kind } of files) {
    for (const { node, message } of tree ? findLinkFaults(tree, kind.page, targets) : []) {
      mistakes.push({ file, line: node.position?.start.line ?? 1, message });
    }
  }
  const byPlace = (a: Mistake, b: Mistake) => a.file.localeCompare(b.file) || a.line - b.line;
  return { mistakes: mistakes.sort(byPlace), count: files.length };
}

/** Writes mistakes down, a line each: `file:line  what is wrong`, and how many there are. */
export function describeMistakes(mistakes: Mistake[]): string {
  const lines = mistakes.map(({ file, line, message }) => `${file}:${line}  ${message}`);
  return [...lines, '', count(mistakes.length, 'mistake')].join('\n');
}

/** Says a number of things: `1 file`, `2 files`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

const none = { tree: undefined, faults: [] };

function readKind(root: string, kind: Kind, mistakes: Mistake[]): ReadFile[] {
  const names = globSync(`${kind.name ?? '*'}.mdx`, { cwd: join(root, 'content', kind.folder) }).sort();
  const files = names.map((name): ReadFile => {
    const file = `content/${kind.folder}/${name}`;
    const code = readFileSync(join(root, file), 'utf8');
    const source = readSource(code);
    const { tree, faults } = source.text === undefined ? none : readText(source.text, kind.hasText);
    const found = [
      ...source.faults,
      ...(source.faults.length > 0 ? [] : checkFields(source, kind)),
      ...faults,
      ...findTypedFacts(code),
      ...(source.text && faults.length === 0 ? findUnnamed(source.text, kind.mustName ?? []) : []),
    ];
    mistakes.push(...found.map((fault) => ({ file, ...fault })));
    return { ...source, file, kind, id: name.replace(/\.mdx$/, ''), tree };
  });
  if (files.length === 0) {
    mistakes.push(
      kind.name === undefined
        ? { file: `content/${kind.folder}/`, line: 1, message: 'The folder needs at least one file.' }
        : { file: placeOf(kind), line: 1, message: 'The file is missing, and the page needs it.' },
    );
  }
  if (kind.name === undefined) mistakes.push(...findRepeated(files));
  return files;
}

function checkFields({ fields, findLine }: Source, { schema }: Kind): Fault[] {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(fields).filter((key) => !known.includes(key));
  const meant = unknown.map((key) => findNearest(key, known));
  const issues = schema.safeParse(fields).error?.issues ?? [];
  return [
    ...unknown.map((key) => ({ line: findLine([key]), message: refuseField(key, known) })),
    ...issues
      .filter(({ code }) => code !== 'unrecognized_keys')
      // A misspelt field is one mistake, not two.
      .filter(({ path: [field] }) => field! in fields || !meant.includes(String(field)))
      .map(({ path, message }) => ({ line: findLine(path), message: `${nameField(path)} ${message}` })),
  ];
}

/** Names a field, or a line of its list: `audience, line 2`. */
function nameField([field, index]: PropertyKey[]): string {
  return typeof index === 'number' ? `${String(field)}, line ${index + 1},` : String(field);
}

/** Lists what two items of one folder may not share: a place, a title or a question. */
function findRepeated(files: ReadFile[]): Mistake[] {
  const seen = new Map<string, string>();
  return files.flatMap(({ file, fields, findLine }) =>
    ['order', 'title', 'question'].flatMap((field) => {
      if (fields[field] === undefined) return [];
      const value = `${field} ${String(fields[field]).trim().toLowerCase()}`;
      const other = seen.get(value);
      seen.set(value, other ?? file);
      if (!other) return [];
      return [
        {
          file,
          line: findLine([field]),
          message: `${other} has the same ${field}. Change the ${field} of one.`,
        },
      ];
    }),
  );
}

/** The place that a question has on its page. */
function listQuestion({ folder }: Kind, id: string): string[] {
  const [name] =
    Object.entries(accordionNames).find(([key]) => kinds[key as keyof typeof kinds].folder === folder) ?? [];
  return name ? [`${accordionNames[name as keyof typeof accordionNames]}-${id}`] : [];
}
