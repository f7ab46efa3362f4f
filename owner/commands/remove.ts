import type { Command } from 'commander';
import { parseEmail } from '../arguments.ts';
import { confirm } from '../confirmation.ts';
import { printJson } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Options {
  yes?: true;
  json?: true;
}

/** Adds the command that removes a member. */
export function addRemove(program: Command, open: () => Waitlist): void {
  program
    .command('remove')
    .description('Remove an address from list and outbox. Nothing more is sent to it.')
    .argument('<address>', 'in any letter case', parseEmail)
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
An address that is not on the list ends with status 1.

Examples:
  npm run waitlist -- remove name@example.com
  npm run --silent waitlist -- remove name@example.com --yes --json`,
    )
    .action((email: string, options: Options) => remove(open(), email, options));
}

async function remove(waitlist: Waitlist, email: string, { yes, json }: Options): Promise<void> {
  const question = `Remove ${email} from list and outbox?`;
  const isAgreed = await confirm(question, yes);
  if (isAgreed === undefined) throw new UsageError(`${question} There is no terminal to ask at. Add --yes.`);
  if (!isAgreed) throw new Error('Nothing was changed.');
  const removed = await waitlist.call<boolean>('remove_member', { email });
  if (!removed) process.exitCode = 1;
  if (json) printJson({ email, removed });
  else if (removed) console.log(`${email} was removed.`);
  else console.error(`${email} was not on the list.`);
}
