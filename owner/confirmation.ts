import { createInterface } from 'node:readline/promises';

/**
 * Asks the owner before something that cannot be undone, unless `yes`, which is --yes. Resolves to whether the answer was yes;
 * to `undefined` when there is no terminal to ask at.
 */
export async function confirm(question: string, yes = false): Promise<boolean | undefined> {
  if (yes) return true;
  if (!process.stdin.isTTY) return undefined;
  // On the error channel: the output of a command stays clean for programs.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once('SIGINT', () => process.exit(130));
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
