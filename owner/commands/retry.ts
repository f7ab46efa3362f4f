import { type Command, Option } from 'commander';
import { parseAddress } from '../arguments.ts';
import { confirm } from '../confirmation.ts';
import { printJson } from '../output.ts';
import { openWaitlist } from '../project.ts';
import { type RetriedState, retriedStates } from '../waitlist-client.ts';

interface Options {
  state?: RetriedState;
  yes?: boolean;
  json?: boolean;
}

/** Adds the command that sends welcomes again. */
export function addRetry(program: Command): void {
  program
    .command('retry')
    .description('Send welcomes again that were refused or may not have arrived.')
    .argument('[address]', 'only the welcome to this address', parseAddress)
    .addOption(new Option('--state <state>', 'only these').choices(retriedStates))
    .option('--yes', 'do not ask before unknown ones, which may arrive a second time')
    .option('--json', 'print JSON: {"retried": …}')
    .addHelpText(
      'after',
      `
An address without such a welcome ends with status 1.

Examples:
  npm run waitlist -- retry
  npm run waitlist -- retry name@example.com
  npm run --silent waitlist -- retry --state refused --json`,
    )
    .action(retry);
}

async function retry(address: string | undefined, { state, yes, json }: Options): Promise<void> {
  const waitlist = openWaitlist();
  const unknown = state === 'refused' ? 0 : await waitlist.countUnknown(address);
  if (unknown > 0) await confirm(warnOf(unknown), { yes });
  // Only what was asked about: a welcome that becomes unknown from here on waits for the next time.
  const agreed = unknown > 0 ? state : 'refused';
  const retried = state === 'unknown' && unknown === 0 ? 0 : await waitlist.retry(address, agreed);
  if (address && retried === 0) process.exitCode = 1;
  if (json) printJson({ retried });
  else if (retried > 0)
    console.log(`${retried === 1 ? '1 welcome goes' : `${retried} welcomes go`} out again.`);
  else console.error(`No welcome${address ? ` to ${address}` : ''} is ${state ?? 'refused or unknown'}.`);
}

function warnOf(unknown: number): string {
  return unknown === 1
    ? '1 welcome may have been sent already and would then arrive a second time. Send it again?'
    : `${unknown} welcomes may have been sent already and would then arrive a second time. Send them again?`;
}
