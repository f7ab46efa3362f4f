import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Collection, collections, pathOf } from '../collections.ts';
import { checkFields } from './check-fields.ts';
import { listTargets, type Targets } from './check-links.ts';
import { findStrayFiles } from './check-names.ts';
import { checkSite, siteFile } from './check-site.ts';
import { checkText } from './check-text.ts';
import { findTypedFacts } from './check-words.ts';
import type { FileProblem, Problem } from './problem.ts';
import { type Entry, readSource } from './read-source.ts';

const all: Collection[] = Object.values(collections);

/**
 * Checks the files below content/, and the facts of the site. Mistakes stop a build; warnings are about words that may be
 * meant as they are. Both are sorted by file and line.
 */
export async function checkContent(
  root: string,
): Promise<{ mistakes: FileProblem[]; warnings: FileProblem[] }> {
  const entries: Entry[] = all.flatMap((collection) =>
    globSync(pathOf(collection), { cwd: root }).map((path) => {
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
      checkEntry(entry, targets).map((problem) => ({ file: entry.file, ...problem })),
    ),
    ...checkSite(readFileSync(join(root, siteFile), 'utf8')),
  ].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  return {
    mistakes: found.filter(({ isWarning }) => !isWarning),
    warnings: found.filter(({ isWarning }) => isWarning),
  };
}

function checkEntry(entry: Entry, targets: Targets): Problem[] {
  if (!entry.tree) return entry.problems;
  const lines = entry.text.split('\n').map((words, index) => ({ words, line: index + 1 }));
  const typed = [...entry.words, ...lines].flatMap(({ words, line }) => findTypedFacts(words, line));
  return dropRepeated([...checkFields(entry), ...checkText(entry, targets), ...typed]);
}

/** Drops problems with words that have one already, because one mistake can break several rules. */
function dropRepeated(problems: Problem[]): Problem[] {
  // The other tag of a pair is wrong for the same reason.
  const bare = ({ typed, message }: Problem) => typed?.replace(/[<>/]/g, '').trim() ?? message;
  return problems.filter((problem, index) => {
    const earlier = problems.slice(0, index).filter(({ line }) => line === problem.line);
    return !earlier.some((one) => bare(one).includes(bare(problem)) || bare(problem).includes(bare(one)));
  });
}

/** Reports missing files that a page needs. */
function findGaps(entries: Entry[]): FileProblem[] {
  return all.flatMap((one) => {
    const { folder, name, fewest = 1 } = one;
    if (entries.filter(({ collection }) => collection === one).length >= fewest) return [];
    const message = name
      ? 'The page needs this file, but it is missing. Restore it.'
      : `The folder needs at least ${fewest === 1 ? 'one file' : `${fewest} files`}.`;
    return { file: name ? pathOf(one) : `content/${folder}/`, line: 1, message };
  });
}

/** Reports items of one folder that share an order, a title or a question: both, because a pull request may show only one. */
function findRepeated(entries: Entry[]): FileProblem[] {
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
      return { file: entry.file, line: entry.findLine([field]), message };
    }),
  );
}
