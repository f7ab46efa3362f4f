import type { Command } from 'commander';
import { formatTime, toJsonArray, toLines } from '../formats.ts';
import { print } from '../output.ts';
import { Progress } from '../progress.ts';
import { openWaitlist } from '../project.ts';
import type { Returned } from '../waitlist-client.ts';

/** Adds the command that prints the welcomes that came back. */
export function addReturned(program: Command): void {
  program
    .command('returned')
    .description('Print the welcomes that bounced or were marked as spam, the oldest first.')
    .option('--json', 'print a JSON array: address, kind, problem, sent_at and returned_at of each')
    .addHelpText(
      'after',
      `
Resend tells of them. An address that bounced for good or complained is never mailed again.

Examples:
  npm run waitlist -- returned
  npm run --silent waitlist -- returned --json`,
    )
    .action(showReturned);
}

async function showReturned({ json }: { json?: boolean }): Promise<void> {
  const progress = new Progress<Returned>({ isOutputSeen: process.stdout.isTTY });
  const welcomes = progress.follow(openWaitlist().readReturned());
  await print(json ? toJsonArray(welcomes) : toLines(welcomes, formatReturned));
  if (!json && progress.rows === 0) console.error('No welcome came back.');
}

function formatReturned({ address, kind, problem, returned_at }: Returned): string {
  return `${formatTime(returned_at)}  ${kind.padEnd(10)}  ${address}${problem ? `  ${problem}` : ''}`;
}
