import { once } from 'node:events';
import { createWriteStream, openSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './usage-error.ts';

/** Writes texts to standard output, and waits for the reader after each. Resolves to whether there were any. */
export async function print(texts: AsyncIterable<string>): Promise<boolean> {
  let isEmpty = true;
  for await (const text of texts) {
    isEmpty = false;
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
  return !isEmpty;
}

/** Prints one value as JSON. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Writes all texts to a new file that only the user can read, or leaves no file. Throws an Error that says what to do. */
export async function save(texts: AsyncIterable<string>, file: string, ending: '.csv' | '.jsonl') {
  // Git ignores these endings.
  if (!file.endsWith(ending)) throw new UsageError(`The name of the new file must end in ${ending}.`);
  const discard = () => rmSync(file, { force: true });
  // Before the file exists: without a listener, a signal ends the process without the event that discards it.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  try {
    // Synchronously, so that no signal is handled before the file can be discarded.
    const fd = openSync(file, 'wx', 0o600);
    process.once('exit', discard);
    if (process.stderr.isTTY) console.error(`Writing ${file}. This may take a few minutes…`);
    await pipeline(texts, createWriteStream(file, { fd, flush: true }));
    process.off('exit', discard);
  } catch (error) {
    throw explain(file, error as NodeJS.ErrnoException);
  }
}

/** Replaces a file system error with one that says what to do. Returns other errors unchanged. */
function explain(file: string, error: NodeJS.ErrnoException): Error {
  const { code, syscall } = error;
  if (code === 'EEXIST')
    return new UsageError(`${file} already exists. Choose another name, or delete it first.`);
  if (code === 'ENOENT')
    return new UsageError(`The folder ${dirname(file)} does not exist. Create it, or choose another one.`);
  if (syscall) return new Error(`${file} cannot be written (${code}). Choose another place with --output.`);
  return error;
}
