import { type Command, Option } from 'commander';
import { parseAddress } from '../arguments.ts';
import { confirm } from '../confirmation.ts';
import { printJson } from '../output.ts';
import { openWaitlist } from '../project.ts';
import { type RetriedState, retriedStates, type Waitlist } from '../waitlist-client.ts';

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
An address without such a welcome ends with status 1. A welcome that was sent is not sent again, not even when it came
back: its text is not kept. An address that bounced for good or complained is never mailed again.

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
  else if (address) console.error(await explain(waitlist, address, state));
  else console.error(`No welcome is ${state ?? 'refused or unknown'}.`);
}

/** Says why the welcome to an address does not go out again. */
async function explain(waitlist: Waitlist, address: string, state?: RetriedState): Promise<string> {
  const fate = await waitlist.findWelcome(address);
  if (fate?.is_never_mailed) return `${address} bounced for good or complained: it is never mailed again.`;
  if (fate?.return_kind)
    return `The welcome to ${address} was sent and came back (${fate.return_kind}). It cannot be sent again, since its text is not kept. After "remove" whoever it is can sign up anew.`;
  return `No welcome to ${address} is ${state ?? 'refused or unknown'}.`;
}

function warnOf(unknown: number): string {
  return unknown === 1
    ? '1 welcome may have been sent already and would then arrive a second time. Send it again?'
    : `${unknown} welcomes may have been sent already and would then arrive a second time. Send them again?`;
}
