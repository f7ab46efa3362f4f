import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { explainSite, siteFile } from './check-site.ts';
import { type FileProblem, formatProblems } from './problem.ts';

/** Lists every mistake in the files below content/ and in the facts of the site, with file and line, and what only looks like one. */
const { mistakes, warnings } = await check(resolve(import.meta.dirname, '../../..'));
if (mistakes.length > 0) {
  console.error(formatProblems(mistakes));
  process.exitCode = 1;
} else {
  console.log('There are no mistakes in content/.');
}
if (warnings.length > 0) console.log(`\nWarnings, which stop nothing:\n${formatProblems(warnings)}`);
if (process.env['GITHUB_ACTIONS']) {
  annotate('error', mistakes);
  annotate('warning', warnings);
}

async function check(root: string): Promise<{ mistakes: FileProblem[]; warnings: FileProblem[] }> {
  try {
    const { checkContent } = await import('./check.ts');
    return await checkContent(root);
  } catch (error) {
    // The check itself needs the facts.
    const problem = await explainSite(readFileSync(resolve(root, siteFile), 'utf8'), error as Error);
    if (!problem) throw error;
    return { mistakes: [problem], warnings: [] };
  }
}

/** Shows problems beside their lines in a pull request (https://docs.github.com/actions/reference/workflow-commands-for-github-actions). */
function annotate(kind: 'error' | 'warning', problems: FileProblem[]): void {
  for (const { file, line, message } of problems) {
    const path = encode(file).replaceAll(':', '%3A').replaceAll(',', '%2C');
    console.log(`::${kind} file=${path},line=${line}::${encode(message)}`);
  }
}

function encode(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
