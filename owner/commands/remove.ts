import type { Command } from 'commander';
import { parseAddress } from '../arguments.ts';
import { confirm } from '../confirmation.ts';
import { printJson } from '../output.ts';
import { openWaitlist } from '../project.ts';

/** Adds the command that takes an address off the list. */
export function addRemove(program: Command): void {
  program
    .command('remove')
    .description('Take an address off the list, and call a welcome back that was not sent yet.')
    .argument('<address>', 'in any letter case', parseAddress)
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON: {"address": …, "removed": true or false}')
    .addHelpText(
      'after',
      `
An address that is not there ends with status 1.

Examples:
  npm run waitlist -- remove name@example.com
  npm run --silent waitlist -- remove name@example.com --yes --json`,
    )
    .action(remove);
}

async function remove(address: string, { yes, json }: { yes?: boolean; json?: boolean }): Promise<void> {
  const waitlist = openWaitlist();
  await confirm(`Remove ${address} from list and outbox?`, { yes });
  const removed = await waitlist.remove(address);
  if (!removed) process.exitCode = 1;
  if (json) printJson({ address, removed });
  else if (removed) console.log(`${address} is not on the list any more.`);
  else console.error(`${address} was not on the list.`);
}
