import { writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './command.ts';

export function print(text: string): void {
  process.stdout.write(disarm(text));
}

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

/** Writes a whole text to a new file that only the user can read. */
export function save(text: string, file: string, ending: '.csv' | '.jsonl'): void {
  // Git ignores these endings.
  if (!file.endsWith(ending)) throw new UsageError(`The name of the new file must end in ${ending}.`);
  writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true });
}

const fileProblems: Record<string, string> = {
  ENOENT: 'does not exist',
  EEXIST: 'already exists',
  EISDIR: 'is a folder',
  EACCES: 'cannot be opened: permission denied',
};

/** Explains why a file cannot be read or written; `undefined` for any other error. */
export function explainFileError(error: unknown): string | undefined {
  const { code = '', path = 'The path' } = error as NodeJS.ErrnoException;
  return fileProblems[code] ? `${path} ${fileProblems[code]}.` : undefined;
}

/**
 * Writes lines to a new file that only the user can read, or without one to standard output, where a program reads them. A file that
 * could not be written to its end is removed.
 */
export async function saveLines(
  lines: AsyncIterable<string>,
  file: string | undefined,
  see: (line: string) => void,
): Promise<void> {
  if (file && !file.endsWith('.jsonl')) throw new UsageError('The name of the new file must end in .jsonl.');
  if (!file && process.stdout.isTTY)
    throw new UsageError('Add --output and a new file, or pass it on to a program that encrypts it.');
  async function* read() {
    for await (const line of lines) {
      see(line);
      yield `${line}\n`;
    }
  }
  if (!file) return pipeline(read, process.stdout, { end: false });
  const handle = await open(file, 'wx', 0o600);
  await pipeline(read, handle.createWriteStream({ flush: true })).catch(async (error) => {
    await rm(file);
    throw error;
  });
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
