import { resolve } from 'node:path';
import { checkContent, describe } from '../../src/content-model/check/check.ts';

/** Lists every mistake in the files below content/, with file and line, and what only looks like one. */
const { mistakes, warnings } = await checkContent(resolve(import.meta.dirname, '../..'));
if (mistakes.length > 0) {
  console.error(describe(mistakes));
  process.exitCode = 1;
} else {
  console.log('There are no mistakes in content/.');
}
if (warnings.length > 0) console.log(`\nPlease look at this. It stops nothing:\n${describe(warnings)}`);
if (process.env['GITHUB_ACTIONS']) {
  annotate('error', mistakes);
  annotate('warning', warnings);
}

/** Shows messages beside their lines in a pull request (https://docs.github.com/actions/reference/workflow-commands-for-github-actions). */
function annotate(kind: 'error' | 'warning', messages: typeof mistakes): void {
  for (const { file, line, message } of messages) {
    const place = encode(file).replaceAll(':', '%3A').replaceAll(',', '%2C');
    console.log(`::${kind} file=${place},line=${line}::${encode(message)}`);
  }
}

function encode(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
