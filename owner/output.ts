import { once } from 'node:events';
import { createWriteStream, openSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './usage-error.ts';

/** Writes texts to standard output, and waits for the reader after each. Resolves to whether there were any. */
export async function print(texts: AsyncIterable<string>): Promise<boolean> {
  let isEmpty = true;
  for await (const text of texts) {
    isEmpty = false;
    if (!process.stdout.write(disarm(text))) await once(process.stdout, 'drain');
  }
  return !isEmpty;
}

/** Prints lines of an answer. */
export function say(...lines: string[]): void {
  process.stdout.write(disarm(`${lines.join('\n')}\n`));
}

/** Prints lines that are not part of the answer, on standard error. */
export function note(...lines: string[]): void {
  process.stderr.write(disarm(`${lines.join('\n')}\n`));
}

/** Prints an answer: with --json its value, else its lines. */
export function answer(json: true | undefined, value: unknown, ...lines: string[]): void {
  say(...(json ? [JSON.stringify(value, null, 2)] : lines));
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

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Writes all texts to a new file that only the user can read, or leaves no file. Throws an Error that says what to do. */
export async function save(texts: AsyncIterable<string | Buffer>, file: string, ending: '.csv' | '.jsonl') {
  // Git ignores these endings.
  if (!file.endsWith(ending)) throw new UsageError(`The name of the new file must end in ${ending}.`);
  const discard = () => rmSync(file, { force: true });
  const stop = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  // Before the file exists: without a listener, a signal ends the process without the event that discards it.
  for (const signal of signals) process.once(signal, stop);
  try {
    // Synchronously, so that no signal is handled before the file can be discarded.
    const fd = openSync(file, 'wx', 0o600);
    process.once('exit', discard);
    if (process.stderr.isTTY) note(`Writing ${file}. This may take a few minutes…`);
    await pipeline(texts, createWriteStream(file, { fd, flush: true })).catch((error) => {
      discard();
      throw error;
    });
  } catch (error) {
    throw explain(file, error as NodeJS.ErrnoException);
  } finally {
    process.off('exit', discard);
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Replaces a file system error with one that says what to do. Returns other errors unchanged. */
function explain(file: string, error: NodeJS.ErrnoException): Error {
  const { code, syscall = '' } = error;
  if (code === 'EEXIST')
    return new UsageError(`${file} already exists. Choose another name, or delete it first.`);
  return ['open', 'write', 'fsync'].includes(syscall)
    ? new UsageError(`${file} cannot be written (${code}). Choose another place with --output.`)
    : error;
}
