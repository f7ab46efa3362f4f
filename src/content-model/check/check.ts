import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Collection, collections, pathOf } from '../collections.ts';
import { checkFields } from './check-fields.ts';
import { listTargets, type Targets } from './check-links.ts';
import { findStrayFiles } from './check-file-names.ts';
import { checkSite, siteFile } from './check-site.ts';
import { checkText } from './check-text.ts';
import { findTypedFacts } from './check-typed-facts.ts';
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
  const { problems, head, text } = entry;
  if (problems.length > 0) return problems;
  const lines = text.split('\n').map((words, index) => head[index] ?? words);
  const typed = lines.flatMap((words, index) => findTypedFacts(words, index + 1));
  return dropRepeated([...checkFields(entry), ...checkText(entry, targets), ...typed]);
}

/** Drops what is said about a line already: the other tag of a pair is wrong for the same reason. */
function dropRepeated(problems: Problem[]): Problem[] {
  const said = problems.map(({ line, message }) => `${line} ${message.replace(/[</> ]/g, '')}`);
  return problems.filter((_, index) => said.indexOf(said[index]!) === index);
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
