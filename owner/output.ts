import { rmSync, writeFileSync } from 'node:fs';
import { UsageError } from './command.ts';

/** Prints a text of an answer. */
export function print(text: string): void {
  process.stdout.write(disarm(text));
}

/** Prints lines of an answer. */
export function say(...lines: string[]): void {
  print(`${lines.join('\n')}\n`);
}

/** Prints lines that are not part of the answer, on standard error. */
export function note(...lines: string[]): void {
  process.stderr.write(disarm(`${lines.join('\n')}\n`));
}

/** Prints an answer: with --json its value, else its lines. */
export function answer(json: true | undefined, value: unknown, ...lines: string[]): void {
  say(...(json ? [JSON.stringify(value, null, 2)] : lines));
}

/** Prints a line for each row, or with --json all rows. Says on standard error that there are none. */
export function answerRows<Row>(
  json: true | undefined,
  rows: Row[],
  format: (row: Row) => string,
  none = '',
): void {
  if (json || rows.length > 0) answer(json, rows, rows.map(format).join('\n'));
  else note(none);
}

/** Replaces the last line of a terminal. */
export function sayAgain(line: string): void {
  process.stdout.write(`\r\x1b[K${disarm(line).slice(0, process.stdout.columns)}`);
}

/**
 * Escapes what drives a terminal, because much of what we print was written by others: control characters, and those that
 * change the direction of the text. The escapes mean the same in JSON.
 */
function disarm(text: string): string {
  const armed = /(?!\r\n|[\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
  return text.replace(armed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Writes a whole text to a new file that only the user can read, or leaves no file. Throws an Error that says what to do. */
export function save(text: string, file: string, ending: '.csv' | '.jsonl'): void {
  // Git ignores these endings.
  if (!file.endsWith(ending)) throw new UsageError(`The name of the new file must end in ${ending}.`);
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsageError(`${file} already exists. Choose another name, or delete it first.`);
    if (syscall !== 'open') rmSync(file, { force: true });
    throw new UsageError(`${file} cannot be written (${code}). Choose another place with --output.`);
  }
}
