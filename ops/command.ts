import { createInterface } from 'node:readline';
import { type Command, InvalidArgumentError } from 'commander';
import { parseEmailAddress } from '../shared/email-address.ts';

/** A mistake in what the owner typed or set. The command changed nothing, and its exit status is 2. */
export class UsageError extends Error {}

export interface Options {
  json?: true;
  yes?: true;
}

/** Describes a command in its help. An example is what to type after `./waitlist`. The list of commands does not show `notes`. */
export function describe(command: Command, description: string, examples: string[], notes = ''): Command {
  const lines = examples.map((example) => `  ./waitlist ${example}`.trimEnd());
  return command
    .summary(description)
    .description(`${description}\n\n${notes}`.trimEnd())
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** Asks the owner, unless `yes` is set (--yes). Throws without a terminal, and when the answer is not yes. */
export async function confirm(question: string, yes?: true): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new UsageError(`${question} There is no terminal to answer in. Add --yes.`);
  // On stderr, so that programs can read the output of a command.
  process.stderr.write(`${question} [y/N] `);
  const lines = createInterface({ input: process.stdin });
  const { value = '' } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  if (!/^y(es)?$/i.test(value.trim())) throw new Error('Nothing was changed.');
}

/** Makes a parser of whole numbers from 1 to `most`. It throws an InvalidArgumentError for anything else. */
export function parseUpTo(most: number) {
  return (text: string): number => {
    if (/^\d+$/.test(text) && Number(text) > 0 && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };
}

/** Reads one email address. Throws an InvalidArgumentError for anything else. */
export function parseEmail(text: string): string {
  const email = parseEmailAddress(text);
  if (email === undefined) throw new InvalidArgumentError('Give one address such as name@example.com.');
  return email;
}

/** Reads a day or a moment in UTC: `2026-11-26`, `2026-11-26T08:00`. Throws an InvalidArgumentError for anything else. */
export function parseTime(text: string): string {
  const time = new Date(/T/.test(text) && !/Z$/.test(text) ? `${text}Z` : text);
  // Otherwise, 30 February would be 2 March.
  const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 10));
  if (!/^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/.test(text) || !isDay)
    throw new InvalidArgumentError('Give a time in UTC such as 2026-11-26T08:00.');
  return time.toISOString();
}
