import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Collection, collections, pathOf } from '../collections.ts';
import { checkFields } from './check-fields.ts';
import { listTargets, type Targets } from './check-links.ts';
import { findStrayFiles } from './check-file-names.ts';
import { findTypedFacts } from './check-markup.ts';
import { checkSite, siteFile } from './check-site.ts';
import { checkText } from './check-text.ts';
import type { FileProblem } from './problem.ts';
import { type Entry, readSource } from './read-source.ts';

const all: Collection[] = Object.values(collections);
/** The facts that a text must mention, in curly brackets. */
const neededFacts = all.flatMap(({ text }) => text?.mustName?.filter((name) => name.startsWith('{')) ?? []);

/**
 * Checks the files below content/, and the facts of the site. Mistakes stop a build; warnings are about words that may be
 * meant as they are. Both are sorted by file and line.
 */
export async function checkContent(root: string): Promise<Record<'mistakes' | 'warnings', FileProblem[]>> {
  const entries: Entry[] = all.flatMap((collection) =>
    globSync(pathOf(collection), { cwd: root }).map((file) => {
      return { ...readSource(readFileSync(join(root, file), 'utf8')), file, collection };
    }),
  );
  const targets = await listTargets(root, entries);
  const strays = findStrayFiles(root);
  const found = [
    ...strays,
    // A file with a wrong name is also missing under the right one. That is one mistake, not two.
    ...findGaps(entries).filter((gap) => !strays.some(({ message }) => message.includes(gap.file))),
    ...entries.flatMap((entry) => checkEntry(entry, targets)),
    ...checkSite(readFileSync(join(root, siteFile), 'utf8'), neededFacts),
  ].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  return {
    mistakes: found.filter(({ isWarning }) => !isWarning),
    warnings: found.filter(({ isWarning }) => isWarning),
  };
}

function checkEntry(entry: Entry, targets: Targets): FileProblem[] {
  const { problems, head, text, file } = entry;
  const typed = text.split('\n').flatMap((words, index) => findTypedFacts(head[index] ?? words, index + 1));
  const found = [...problems, ...checkFields(entry, targets), ...checkText(entry, targets), ...typed]
    // A fact that texts must mention is reported where it is missing.
    .filter(({ message }) => !neededFacts.some((name) => message.includes(`see ${name} as typed`)));
  // The same advice once for each line, and HTML once for the file, because an editor pastes many tags at once.
  const advice = Object.groupBy(found, ({ line, message }) =>
    message.includes('HTML does') ? 'HTML' : line + message.replace(/.*A field/, ''),
  );
  return Object.values(advice).map((same) => ({ file, ...same![0]! }));
}

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
