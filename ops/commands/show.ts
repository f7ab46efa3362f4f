import type { Command } from 'commander';
import { describe, type Options, parseEmail } from '../command.ts';
import { answer, formatTime } from '../output.ts';
import { describeMessage, type Story } from '../report.ts';
import type { Waitlist } from '../waitlist-client.ts';

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
