import type { Command } from 'commander';
import { describe, type Options, parseEmail } from '../command.ts';
import { answer, formatTime } from '../output.ts';
import { describeMessage, type Story } from '../report.ts';
import { explainUnknown } from './members.ts';
import type { Waitlist } from '../waitlist-client.ts';

export function addShow(program: Command, open: () => Waitlist): void {
  describe(
    program.command('show'),
    'Print everything about one mailbox: each spelling on the list, when it joined, and what happened to each message.',
    ['show name@example.com', 'show name@example.com --json'],
    '"help outbox" explains the states of messages that were not sent.',
  )
    .argument('<address>', 'the email address of a member, in any spelling', parseEmail)
    .action(async (asked: string, { json }: Options) => {
      const waitlist = open();
      const stories: Story[] = [];
      for (const email of await waitlist.findSpellings([asked])) {
        const story = await waitlist.call<Story | null>('find_member', { email });
        if (story) stories.push(story);
      }
      if (stories.length === 0) {
        const hashes = Object.values(await waitlist.hash(asked));
        const isBarred = await waitlist.call<boolean>('is_barred', { hashes });
        throw new Error(`${explainUnknown(asked)}${isBarred ? `\n${explainBar(asked)}` : ''}`);
      }
      answer(json, stories, stories.map(write).join('\n\n'));
    });
}

function explainBar(email: string): string {
  return `Never mailed: the address bounced permanently, complained or was barred. "forgive ${email}" changes that.`;
}

function write({ email, history, messages, is_never_mailed }: Story): string {
  return [
    email,
    ...history.map(({ at, what, problem }) => `${formatTime(at)}  ${what}${problem ? `, ${problem}` : ''}`),
    ...messages.filter(({ state }) => state !== 'sent').map(describeMessage),
    ...(is_never_mailed ? [explainBar(email)] : []),
  ].join('\n');
}
