import type { Command } from 'commander';
import { formatCount, formatTime, toJsonArray, toLines } from '../formats.ts';
import { print } from '../output.ts';
import { Progress } from '../progress.ts';
import type { Problem, Waitlist } from '../waitlist-client.ts';

/** Adds the command that prints the messages that did not arrive. */
export function addOutbox(program: Command, open: () => Waitlist): void {
  program
    .command('outbox')
    .description('Print the messages that were not sent, then those that came back, the oldest first.')
    .option(
      '--json',
      'print a JSON array: email, announcement (null for a welcome), state, at, problem of each, next_try_at and tries if not sent',
    )
    .addHelpText(
      'after',
      `
Not sent:
  waiting     is sent automatically, now or at its next try
  refused     the provider does not accept it; "retry" sends it again
  unknown     it may have been sent; "retry" sends it again, perhaps a second time
Came back, as Resend reports it:
  bounced     the mailbox does not exist, or is full
  complained  the member marked it as spam

An announcement that only waits for its turn is not listed: "announce <name> --watch" counts those. An address that
bounced permanently or complained is never mailed again.

Examples:
  npm run waitlist -- outbox
  npm run --silent waitlist -- outbox --json`,
    )
    .action(({ json }: { json?: true }) => showOutbox(open(), json));
}

async function showOutbox(waitlist: Waitlist, json = false): Promise<void> {
  const progress = new Progress<Problem>({ isOutputSeen: process.stdout.isTTY });
  const problems = progress.follow(waitlist.readProblems());
  await print(json ? toJsonArray(problems) : toLines(problems, formatProblem));
  if (!json && progress.rows === 0) console.error('No message failed, and none came back.');
}

function formatProblem({ email, announcement, state, at, next_try_at, tries, problem }: Problem): string {
  const story = [
    ...(announcement ? [announcement] : []),
    ...(tries === undefined ? [] : [formatCount(tries, 'try', 'tries')]),
    ...(next_try_at ? [`next at ${formatTime(next_try_at)}`] : []),
    ...(problem ? [problem] : []),
  ];
  return [formatTime(at), state.padEnd(10), email, story.join(', ')].join('  ').trimEnd();
}
