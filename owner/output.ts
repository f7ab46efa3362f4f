import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './usage-error.ts';

/** Writes texts to the standard output, each when its reader has taken the one before. */
export async function print(texts: AsyncIterable<string>): Promise<void> {
  await pipeline(texts, process.stdout, { end: false });
}

/** Prints one value as JSON. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/**
 * Writes texts to a file that appears whole or not at all and is readable only by the user.
 *
 * @throws UsageError when the folder does not exist, or the file does and may not be replaced.
 * @throws Error when it cannot be written.
 */
export async function save(
  texts: AsyncIterable<string>,
  file: string,
  { mayReplace = false } = {},
): Promise<void> {
  const target = resolve(file);
  if (!mayReplace && existsSync(target)) throw alreadyThere(file);
  if (!existsSync(dirname(target)))
    throw new UsageError(`The folder ${dirname(file)} does not exist. Create it, or choose another one.`);
  // In the same folder: a file can be moved in one step only within one disk.
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.draft`);
  const discard = () => rmSync(draft, { force: true });
  const callOff = doBeforeEnd(discard);
  try {
    await pipeline(texts, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }));
    if (mayReplace) renameSync(draft, target);
    // A link fails if the name was taken in the meantime; a move would replace that file.
    else linkSync(draft, target);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyThere(file);
    if (syscall) throw new Error(`${file} cannot be written (${code}). Choose another place with --output.`);
    throw error;
  } finally {
    discard();
    callOff();
  }
}

/** Does work if this process ends early, by a signal too. Returns the function that cancels it. */
function doBeforeEnd(work: () => void): () => void {
  const end = (_signal: NodeJS.Signals, number: number) => process.exit(128 + number);
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  process.once('exit', work);
  for (const signal of signals) process.once(signal, end);
  return () => {
    process.off('exit', work);
    for (const signal of signals) process.off(signal, end);
  };
}

function alreadyThere(file: string): UsageError {
  return new UsageError(`${file} exists already. Choose another name, or delete it first.`);
}
