import type { Command } from 'commander';
import { describe, type Options } from '../command.ts';
import { formatCount, formatTime, toJsonArray, toLines } from '../formats.ts';
import { print } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** A message that was not sent, or that came back. */
interface Problem {
  email: string;
  /** The name of the announcement; null for the welcome. */
  announcement: string | null;
  /** Not sent: `waiting`, `refused` or `unknown`. Came back: the kind of event, such as `bounced`. */
  state: string;
  /** When it was queued, or when it came back. */
  at: string;
  /** Set while it waits. */
  next_try_at?: string | null;
  tries?: number;
  problem: string | null;
}

const notes = `Not sent:
  waiting     is sent automatically, now or at its next try
  refused     the provider does not accept it; "retry" sends it again
  unknown     it may have been sent; "retry" sends it again, perhaps a second time
Came back, as Resend reports it:
  bounced     the mailbox does not exist, or is full
  complained  the member marked it as spam

An announcement that only waits for its turn is not listed: "announce <name> --watch" counts those. An address that
bounced permanently or complained is never mailed again.`;

/** Adds the command that prints the messages that did not arrive. */
export function addOutbox(program: Command, open: () => Waitlist): void {
  describe(
    program.command('outbox'),
    'Print the messages that were not sent, then those that came back, the oldest first.',
    ['outbox', 'outbox --json'],
    notes,
  ).action(async ({ json }: Options) => {
    const problems = readProblems(open());
    if (json) return void (await print(toJsonArray(problems)));
    if (!(await print(toLines(problems, formatProblem))))
      console.error('No message failed, and none came back.');
  });
}

async function* readProblems(waitlist: Waitlist): AsyncGenerator<Problem[]> {
  const after = ({ at, email }: Problem) => ({ after_time: at, after_email: email });
  yield* waitlist.readPages('list_outbox', {}, after);
  yield* waitlist.readPages('list_returned', {}, after);
}

function formatProblem({ email, announcement, state, at, next_try_at, tries, problem }: Problem): string {
  const story = [
    announcement,
    tries !== undefined && formatCount(tries, 'try', 'tries'),
    next_try_at && `next at ${formatTime(next_try_at)}`,
    problem,
  ];
  return `${formatTime(at)}  ${state.padEnd(10)}  ${email}  ${story.filter(Boolean).join(', ')}`.trimEnd();
}
