import { type Command, Option } from 'commander';
import { formatTime, toJsonArray, toLines } from '../formats.ts';
import { print } from '../output.ts';
import { Progress } from '../progress.ts';
import { openWaitlist } from '../project.ts';
import { type UnsentState, unsentStates, type Welcome } from '../waitlist-client.ts';

interface Options {
  state?: UnsentState;
  json?: boolean;
}

/** Adds the command that prints the welcomes that were not sent. */
export function addOutbox(program: Command): void {
  program
    .command('outbox')
    .description('Print the welcomes that were not sent, the oldest first.')
    .addOption(new Option('--state <state>', 'only these').choices(unsentStates))
    .option(
      '--json',
      'print a JSON array: address, state, accepted_at, next_try_at, tries and problem of each',
    )
    .addHelpText(
      'after',
      `
A welcome is in one of these states until it is sent:
  waiting   goes out by itself, now or at its next try
  refused   the provider does not take it; "retry" sends it again
  unknown   it may have been sent, and nobody can say; "retry" sends it again, perhaps a second time

Examples:
  npm run waitlist -- outbox
  npm run --silent waitlist -- outbox --state refused --json`,
    )
    .action(showOutbox);
}

async function showOutbox({ state, json }: Options): Promise<void> {
  const progress = new Progress<Welcome>({ isOutputSeen: process.stdout.isTTY });
  const welcomes = progress.follow(openWaitlist().readOutbox(state));
  await print(json ? toJsonArray(welcomes) : toLines(welcomes, formatWelcome));
  if (!json && progress.rows === 0)
    console.error(state ? `No welcome is ${state}.` : 'Every welcome was sent.');
}

function formatWelcome({ address, state, accepted_at, next_try_at, tries, problem }: Welcome): string {
  const story = [
    tries === 1 ? '1 try' : `${tries} tries`,
    ...(next_try_at ? [`next at ${formatTime(next_try_at)}`] : []),
    ...(problem ? [problem] : []),
  ];
  return `${formatTime(accepted_at)}  ${state}  ${address}  ${story.join(', ')}`;
}
