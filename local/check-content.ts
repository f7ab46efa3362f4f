import { resolve } from 'node:path';
import { count, describeMistakes, findMistakes } from '../src/content-check/mistakes.ts';

/** Lists every mistake in the files below content/, with file and line. */
const found = findMistakes(resolve(import.meta.dirname, '..'));
if (found.mistakes.length > 0) {
  console.error(describeMistakes(found.mistakes));
  process.exitCode = 1;
} else {
  console.log(`${count(found.count, 'file')}, no mistakes`);
}
