import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTypedFacts } from './check-facts.ts';
import { checkFields } from './check-fields.ts';
import { listTargets, type Targets } from './check-links.ts';
import { explainStray, findStrayFiles, placeOf } from './check-names.ts';
import { checkText } from './check-text.ts';
import { type Collection, collections } from './collections.ts';
import { type Fault, type Mistake, type Entry, findLine, readSource } from './read-source.ts';

/** Finds the mistakes in the files below content/, sorted by file and line. */
export function findMistakes(root: string): Mistake[] {
  const entries = Object.values<Collection>(collections).flatMap((collection) =>
    globSync(placeOf(collection), { cwd: root })
      .sort()
      .map((file) => readEntry(root, file.replaceAll('\\', '/'), collection)),
  );
  const targets = listTargets(root, entries);
  const strays = findStrayFiles(root);
  const mistakes = [
    // A file in the wrong folder is also missing from the right one. That is one mistake, not two.
    ...(strays.length > 0 ? strays : findGaps(entries)),
    ...findRepeated(entries),
    ...entries.flatMap((entry) =>
      checkEntry(entry, targets).map((fault) => ({ file: entry.file, ...fault })),
    ),
  ];
  const byPlace = (a: Mistake, b: Mistake) => a.file.localeCompare(b.file) || a.line - b.line;
  return mistakes.sort(byPlace);
}

/** Formats mistakes, one per line: `file:line  message`. */
export function describeMistakes(mistakes: Mistake[]): string {
  return mistakes.map(({ file, line, message }) => `${file}:${line}  ${message}`).join('\n');
}

function readEntry(root: string, file: string, collection: Collection): Entry {
  const source = readSource(readFileSync(join(root, file), 'utf8'));
  return { ...source, file, collection, stray: explainStray(source.fields, collection) };
}

function checkEntry(entry: Entry, targets: Targets): Fault[] {
  if (!entry.tree) return entry.faults;
  if (entry.stray) return [{ line: 1, message: entry.stray }];
  return dropRepeated([...findTypedFacts(entry), ...checkFields(entry), ...checkText(entry, targets)]);
}

/** Drops faults about words that have a fault already, because one mistake can break several rules. */
function dropRepeated(faults: Fault[]): Fault[] {
  // The other tag of a pair is wrong for the same reason.
  const bare = ({ typed = '' }: Fault) => typed.replace(/[<>/]/g, '').trim() || typed;
  return faults.filter((fault, index) => {
    const words = bare(fault);
    return !faults.slice(0, index).some((other) => {
      const others = bare(other);
      const isPart = words && others && (words.includes(others) || others.includes(words));
      return other.line === fault.line && (isPart || other.message === fault.message);
    });
  });
}

/** Reports files that a page needs and that are missing. */
function findGaps(entries: Entry[]): Mistake[] {
  return Object.values<Collection>(collections)
    .filter((one) => !one.mayBeEmpty && !entries.some(({ collection }) => collection === one))
    .map((one) => {
      const message = one.name
        ? 'The page needs this file, but it is missing. Restore it.'
        : 'The folder needs at least one file.';
      return { file: one.name ? placeOf(one) : `content/${one.folder}/`, line: 1, message };
    });
}

/** Reports items of one folder that share an order, a title or a question. */
function findRepeated(entries: Entry[]): Mistake[] {
  const seen = new Map<string, string>();
  return entries.flatMap((entry) =>
    ['order', 'title', 'question'].flatMap((field) => {
      const { file, collection, fields, stray } = entry;
      if (collection.name || !fields[field] || stray) return [];
      const value = [collection.folder, field, String(fields[field]).trim().toLowerCase()].join(' ');
      const other = seen.get(value);
      seen.set(value, other ?? file);
      if (!other) return [];
      const message = `${other} has the same ${field}. Change the ${field} of one.`;
      return [{ file, line: findLine(entry, [field]), message }];
    }),
  );
}
