import type { Command } from 'commander';
import { suggest } from '../../ground/nearest.ts';
import { describe, type Options } from '../command.ts';
import { type Delivery, formatCount, formatFigure, formatTime, formatWait } from '../formats.ts';
import { printJson, say } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Summary extends Delivery {
  members: number;
  never_mailed: number;
  today: number;
  yesterday: number;
  /** Welcomes that wait. */
  waiting: number;
  waiting_since: string | null;
  /** Messages of announcements that wait and are not stopped. */
  waiting_announcements: number;
  refused: number;
  unknown: number;
  /** Members by the kind of event: `bounced`, `complained`. */
  returned: Record<string, number>;
}

/** Adds the command that prints the summary, which also runs when no command is given. */
export function addSummary(program: Command, open: () => Waitlist): void {
  describe(
    program,
    'Manages the waitlist of the running local stack. With --hosted, it works on the deployment in .env. Without a command, it prints the summary.',
    ['--hosted'],
  ).usage('[options] [command]');
  describe(
    program.command('summary', { isDefault: true }),
    'Print the figures of the list, what waits, and what to do about anything that is wrong.',
    ['', '--hosted --json'],
  )
    // Words that are no command arrive here, with their options.
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async ({ json }: Options, { args: [word] }: Command) => {
      if (word?.startsWith('-'))
        throw new UsageError(`There is no option "${word}". "help" lists the options.`);
      if (word !== undefined) {
        const names = program.commands.map((command) => command.name());
        throw new UsageError(`There is no command "${word}". ${suggest(word, names, 'The commands are')}`);
      }
      const [summary] = await open().call<[Summary]>('summarize_waitlist');
      if (json) printJson(summary);
      else say(...write(summary));
    });
}

function write(summary: Summary): string[] {
  const { members, never_mailed, today, yesterday, waiting, waiting_since } = summary;
  const { waiting_announcements, refused, unknown, returned } = summary;
  const skipped = `${formatCount(never_mailed, 'member')} bounced permanently or complained; after a temporary bounce, a member is still mailed`;
  const oldest =
    waiting_since && `the oldest since ${formatTime(waiting_since)}, ${formatWait(summary, waiting)}`;
  const afterward = `after the welcomes: ${formatWait(summary, waiting + waiting_announcements)}`;
  const lines = [
    formatFigure('members', members),
    formatFigure('mailable', members - never_mailed, never_mailed > 0 && skipped),
    formatFigure('joined today', today, 'since 00:00 UTC'),
    formatFigure('joined yesterday', yesterday),
    formatFigure('waiting for the welcome', waiting, oldest),
    waiting_announcements > 0 && formatFigure('announcements waiting', waiting_announcements, afterward),
    refused > 0 && formatFigure('refused', refused, '"outbox" says why, "retry" queues them again'),
    unknown > 0 && formatFigure('unknown', unknown, 'may have been sent: "outbox" says why'),
    ...Object.entries({ bounced: 0, complained: 0, ...returned }).map((each) => formatFigure(...each)),
  ];
  return lines.filter((line) => line !== false);
}
