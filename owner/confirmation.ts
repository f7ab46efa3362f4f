import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/** Asks the owner, unless `yes` is set (--yes). Throws without a terminal, and when the answer is not yes. */
export async function confirm(question: string, yes?: true): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new UsageError(`${question} There is no terminal to answer in. Add --yes.`);
  // On stderr, so that programs can read the output of a command.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once('SIGINT', () => process.exit(130));
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Nothing was changed.');
}
