import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/**
 * Asks the owner before something happens that cannot be undone, unless `--yes` was given.
 *
 * @throws UsageError when nobody is there to ask.
 * @throws Error when the answer is anything but yes.
 */
export async function confirm(question: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new UsageError(`${question} Nobody is there to ask: add --yes to do it.`);
  // On the error channel: what a command prints for a program stays clean.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once('SIGINT', () => process.exit(130));
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Nothing was changed.');
}
