import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Collection, collections, placeOf } from '../collections.ts';
import { checkFields } from './check-fields.ts';
import { listTargets, type Targets } from './check-links.ts';
import { explainStray, findStrayFiles } from './check-names.ts';
import { checkText } from './check-text.ts';
import { findTypedFacts } from './check-words.ts';
import { type Entry, type Fault, findLine, type Mistake, readSource } from './read-source.ts';

const all: Collection[] = Object.values(collections);

/**
 * Checks the files below content/. Mistakes stop a build; warnings are about words that may be meant as they are. Both
 * are sorted by file and line.
 */
export async function checkContent(root: string): Promise<{ mistakes: Mistake[]; warnings: Mistake[] }> {
  const entries: Entry[] = all.flatMap((collection) =>
    globSync(placeOf(collection), { cwd: root }).map((path) => {
      const source = readSource(readFileSync(join(root, path), 'utf8'));
      return { ...source, file: path.replaceAll('\\', '/'), collection };
    }),
  );
  const targets = await listTargets(root, entries);
  const strays = findStrayFiles(root);
  const found = [
    // A file in the wrong folder is also missing from the right one. That is one mistake, not two.
    ...(strays.length > 0 ? strays : findGaps(entries)),
    ...findRepeated(entries),
    ...entries.flatMap((entry) =>
      checkEntry(entry, targets).map((fault) => ({ file: entry.file, ...fault })),
    ),
  ].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  return {
    mistakes: found.filter(({ isGuess }) => !isGuess),
    warnings: found.filter(({ isGuess }) => isGuess),
  };
}

/** Formats mistakes, one per line: `file:line  message`. */
export function describe(mistakes: Mistake[]): string {
  return mistakes.map(({ file, line, message }) => `${file}:${line}  ${message}`).join('\n');
}

function checkEntry(entry: Entry, targets: Targets): Fault[] {
  if (!entry.tree) return entry.faults;
  const stray = explainStray(entry);
  if (stray) return [{ line: 1, message: stray }];
  const lines = entry.text.split('\n').map((words, index) => ({ words, line: index + 1 }));
  const typed = [...entry.parts, ...lines].flatMap(({ words, line }) => findTypedFacts(words, line));
  return dropRepeated([...checkFields(entry), ...checkText(entry, targets), ...typed]);
}

/** Drops faults about words that have a fault already, because one mistake can break several rules. */
function dropRepeated(faults: Fault[]): Fault[] {
  // The other tag of a pair is wrong for the same reason.
  const bare = ({ typed, message }: Fault) => typed?.replace(/[<>/]/g, '').trim() ?? message;
  return faults.filter((fault, index) => {
    const earlier = faults.slice(0, index).filter(({ line }) => line === fault.line);
    return !earlier.some((one) => bare(one).includes(bare(fault)) || bare(fault).includes(bare(one)));
  });
}

/** Reports missing files that a page needs. */
function findGaps(entries: Entry[]): Mistake[] {
  return all.flatMap((one) => {
    const { folder, name, fewest = 1 } = one;
    if (entries.filter(({ collection }) => collection === one).length >= fewest) return [];
    const message = name
      ? 'The page needs this file, but it is missing. Restore it.'
      : `The folder needs at least ${fewest === 1 ? 'one file' : `${fewest} files`}.`;
    return { file: name ? placeOf(one) : `content/${folder}/`, line: 1, message };
  });
}

/** Reports items of one folder that share an order, a title or a question: both, because a pull request may show only one. */
function findRepeated(entries: Entry[]): Mistake[] {
  const read = ({ fields }: Entry, field: string) =>
    String(fields[field] ?? '')
      .trim()
      .toLowerCase();
  return entries.flatMap((entry) =>
    ['order', 'title', 'question'].flatMap((field) => {
      const value = read(entry, field);
      const same = entries.find(
        (one) => one !== entry && one.collection === entry.collection && read(one, field) === value,
      );
      if (!value || !same) return [];
      const message = `${same.file} has the same ${field}. Change the ${field} of one.`;
      return { file: entry.file, line: findLine(entry, [field]), message };
    }),
  );
}
