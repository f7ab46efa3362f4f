import type { Command } from 'commander';
import { describe, type Options, parseEmail } from '../command.ts';
import { answer, formatCount, formatTime } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** What `find_member` returns. The first message is the welcome. */
export interface Story {
  email: string;
  is_never_mailed: boolean;
  /** What happened, oldest first: `joined`, `welcome sent`, `launch bounced`. */
  history: { at: string; what: string; problem: string | null }[];
  messages: Message[];
}

export interface Message {
  /** The name of the announcement; null for the welcome. */
  announcement: string | null;
  /** `waiting`, `sent`, `refused` or `unknown`; or what happened to it later, such as `bounced`. */
  state: string;
  tries?: number;
  is_stopped?: boolean;
  next_try_at?: string | null;
  problem: string | null;
}

export function addShow(program: Command, open: () => Waitlist): void {
  describe(
    program.command('show'),
    'Print everything about one member: when they joined, and what happened to each message.',
    ['show name@example.com', 'show name@example.com --json'],
    '"help outbox" explains the states of messages that were not sent.',
  )
    .argument('<address>', 'the email address of a member', parseEmail)
    .action(async (email: string, { json }: Options) => {
      const story = await open().call<Story | null>('find_member', { email });
      if (!story) throw new Error(`${email} is not on the list.`);
      const { history, messages, is_never_mailed } = story;
      const forgive = `Never mailed again: the address bounced permanently or complained. "forgive ${email}" changes that.`;
      answer(
        json,
        story,
        email,
        ...history.map(
          ({ at, what, problem }) => `${formatTime(at)}  ${what}${problem ? `, ${problem}` : ''}`,
        ),
        ...messages.filter(({ state }) => state !== 'sent').map(describeMessage),
        ...(is_never_mailed ? [forgive] : []),
      );
    });
}

/** Describes the state of a message in one line. */
export function describeMessage(message: Message): string {
  const { announcement, state, tries, is_stopped, next_try_at, problem } = message;
  const facts = [
    `${announcement ?? 'welcome'} ${state}`,
    is_stopped && 'stopped',
    tries && formatCount(tries, 'try', 'tries'),
    next_try_at && `next at ${formatTime(next_try_at)}`,
    problem,
  ];
  return facts.filter(Boolean).join(', ');
}
