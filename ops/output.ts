import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { getSystemErrorMessage } from 'node:util';
import { UsageError } from './command.ts';

/** Prints a text without adding a line break. */
export function print(text: string): void {
  process.stdout.write(disarm(text));
}

/** Prints lines on standard output. */
export function say(...lines: string[]): void {
  print(lines.map((line) => `${line}\n`).join(''));
}

/** Prints lines that are not part of the answer, on standard error. */
export function note(...lines: string[]): void {
  process.stderr.write(disarm(lines.map((line) => `${line}\n`).join('')));
}

/** Prints an answer: with --json its value, else its lines. */
export function answer(json: true | undefined, value: unknown, ...lines: string[]): void {
  say(...(json ? [JSON.stringify(value, null, 2)] : lines));
}

/**
 * Escapes what drives a terminal, because much of what we print was written by others: control characters, and those that
 * change the direction of the text. The escapes mean the same in JSON.
 */
function disarm(text: string): string {
  const armed = /(?!\r\n|[\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
  return text.replace(armed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Writes a text in pieces to a new file that only the user can read. Removes a file that it cannot finish. */
export async function save(
  pieces: Iterable<string> | AsyncIterable<string>,
  file: string,
  ending: '.csv' | '.jsonl',
): Promise<void> {
  // Git ignores these endings.
  if (!file.endsWith(ending)) throw new UsageError(`The name of the new file must end in ${ending}.`);
  const handle = await open(file, 'wx', 0o600);
  await pipeline(pieces, handle.createWriteStream({ flush: true })).catch(async (error) => {
    await rm(file);
    throw error;
  });
}

/** Explains why a file cannot be read or written; `undefined` for any other error. */
export function explainFileError(error: unknown): string | undefined {
  const { code, errno, path } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') return 'The path is a folder. Give the path of a file.';
  const place = path ?? (code === 'EPIPE' || code === 'ENOSPC' ? 'The output' : undefined);
  return errno && place ? `${place}: ${getSystemErrorMessage(errno)}.` : undefined;
}

/** Writes a count with its noun: "1 member", "2,000 members". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Writes a line of a table: a label, a number, and a note. */
export function formatFigure(label: string, figure: number | string, note?: string | null): string {
  const line = `${label.padEnd(24)}${figure.toLocaleString('en').padStart(9)}`;
  return note ? `${line}   ${note}` : line;
}

/** Writes a time in UTC to the second. */
export function formatTime(moment: string): string {
  return new Date(moment).toISOString().replace(/\.\d+Z$/, 'Z');
}
