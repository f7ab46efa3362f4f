import { resolve } from 'node:path';
import { describeMistakes, findMistakes } from '../src/content-check/mistakes.ts';

/** Lists every mistake in the files below content/, with file and line. */
const mistakes = findMistakes(resolve(import.meta.dirname, '..'));
if (mistakes.length > 0) {
  console.error(describeMistakes(mistakes));
  process.exitCode = 1;
} else {
  console.log('There are no mistakes in content/.');
}
