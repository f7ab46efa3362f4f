import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { explainSite, repairSite, siteFile } from './check-site.ts';
import { formatProblems } from './problem.ts';

/** Lists every mistake in the files below content/ and in the facts of the site, with file and line, and what only looks like one. */
const root = resolve(import.meta.dirname, '../../..');
const broken = await import(`${root}/${siteFile}?as-typed`).then(() => undefined, explainSite);
if (broken) registerHooks({ load: repairSite });
const { mistakes: found, warnings } = await import('./check.ts')
  .then(({ checkContent }) => checkContent(root))
  .catch((error: Error) => (broken ? { mistakes: [], warnings: [] } : Promise.reject(error)));
const mistakes = [broken ?? [], found].flat();
if (mistakes.length > 0) {
  console.error(formatProblems(mistakes));
  process.exitCode = 1;
} else {
  console.log('There are no mistakes in content/.');
}
if (warnings.length > 0) console.log(`\nWarnings, which stop nothing:\n${formatProblems(warnings)}`);
if (process.env['GITHUB_ACTIONS']) {
  // Shown beside their lines in a pull request: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
  for (const { file, line, message, isWarning } of [...mistakes, ...warnings]) {
    const kind = isWarning ? 'warning' : 'error';
    const path = file.replace(/[%,:]/g, encodeURIComponent);
    console.log(`::${kind} file=${path},line=${line}::${message.replaceAll('%', '%25')}`);
  }
}
