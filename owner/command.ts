import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';

/** A mistake in what the user typed. Nothing was sent to the project, and the exit status is 2. */
export class UsageError extends Error {}

/** The options that many commands have. */
export interface Options {
  json?: true;
  yes?: true;
}

/** Describes a command in its help, with what to type after `npm run waitlist --` as examples. Adds the options that all commands have. */
export function describe(command: Command, description: string, examples: string[], notes = ''): Command {
  const lines = examples.map((example) => {
    // npm prints lines of its own, which a program cannot read.
    const silent = /--json|\|/.test(example) ? '--silent ' : '';
    return `  npm run ${silent}waitlist ${example && `-- ${example}`}`.trimEnd();
  });
  return command
    .description(description)
    .option('--hosted', 'work on the deployment in .env')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `${notes && `\n${notes}\n`}\nExamples:\n${lines.join('\n')}`);
}

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
