import type { Command } from 'commander';
import { parseEmail } from '../arguments.ts';
import { describe, type Options } from '../command.ts';
import { confirm } from '../confirmation.ts';
import { printJson } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that removes a member. */
export function addRemove(program: Command, open: () => Waitlist): void {
  describe(
    program.command('remove'),
    'Remove an address from list and outbox. Nothing more is sent to it.',
    ['remove name@example.com', 'remove name@example.com --yes --json'],
    'An address that is not on the list ends with status 1.',
  )
    .argument('<address>', 'in any letter case', parseEmail)
    .option('--yes', 'do not ask')
    .action(async (email: string, { yes, json }: Options) => {
      const waitlist = open();
      await confirm(`Remove ${email} from list and outbox?`, yes);
      const removed = await waitlist.call<boolean>('remove_member', { email });
      if (!removed) process.exitCode = 1;
      if (json) printJson({ email, removed });
      else if (removed) console.log(`${email} was removed.`);
      else console.error(`${email} was not on the list.`);
    });
}
