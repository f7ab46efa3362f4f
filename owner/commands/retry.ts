import type { Command } from 'commander';
import { parseEmail } from '../arguments.ts';
import { describe, type Options } from '../command.ts';
import { ask } from '../confirmation.ts';
import { formatCount } from '../formats.ts';
import { printJson } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

const notes = `An address without such a message ends with status 1. A message that was sent is not sent again, even if it came back.
An address that bounced permanently or complained is never mailed again.`;

/** Adds the command that queues messages again. */
export function addRetry(program: Command, open: () => Waitlist): void {
  describe(
    program.command('retry'),
    'Queue refused messages again and, after a question, those that may have been sent.',
    ['retry', 'retry name@example.com', 'retry --yes --json'],
    notes,
  )
    .argument('[address]', 'only the messages to this address', parseEmail)
    .option('--yes', 'do not ask: also queue messages that may arrive a second time')
    .action((email: string | undefined, options: Options) => retry(open(), email, options));
}

async function retry(waitlist: Waitlist, email: string | undefined, { yes, json }: Options): Promise<void> {
  const unknown = await waitlist.call<number>('count_unknown', { email });
  const warning = `${formatCount(unknown, 'message')} may have been sent already and would arrive a second time.`;
  const isAgreed = unknown > 0 && (await ask(`${warning} Queue again?`, yes));
  // Only those that the owner was asked about: a message that becomes unknown later waits for the next retry.
  const retried = await waitlist.call<number>('retry_outbox', { email, with_unknown: isAgreed === true });
  if (email && retried === 0) process.exitCode = 1;
  if (json) return printJson({ retried });
  if (retried > 0) console.log(`Queued again: ${formatCount(retried, 'message')}.`);
  if (unknown > 0 && !isAgreed)
    console.error(`Not queued: ${warning}${isAgreed === undefined ? ' Add --yes to queue them.' : ''}`);
  else if (retried === 0 && email)
    console.error(`No message to ${email} can be queued again. "show ${email}" says why.`);
  else if (retried === 0) console.error('No message can be queued again.');
}
