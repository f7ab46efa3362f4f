import type { Command } from 'commander';
import { closest } from 'fastest-levenshtein';
import { formatCount, formatDuration, formatFigure, formatTime } from '../formats.ts';
import { printJson } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Summary {
  members: number;
  never_mailed: number;
  today: number;
  yesterday: number;
  /** Welcomes that wait. */
  waiting: number;
  waiting_since: string | null;
  /** Messages of announcements that wait and are not stopped. */
  waiting_announcements: number;
  per_second: number;
  /** Set while the provider takes no more messages. */
  paused_until: string | null;
  /** Why the message that was tried last still waits. */
  problem: string | null;
  refused: number;
  unknown: number;
  /** Members by the kind of event: `bounced`, `complained`. */
  returned: Record<string, number>;
}

/** Makes the program print a summary when no command is given. */
export function addSummary(program: Command, open: () => Waitlist): void {
  program
    .usage('[options] [command]')
    // Any word that is not a command arrives here.
    .argument('[word]')
    .addHelpText('after', '\nExample:\n  npm run waitlist -- --hosted')
    .action(async (word: string | undefined, { json }: { json?: true }) => {
      if (word !== undefined) throw new UsageError(describeUnknown(word, program));
      const [summary] = await open().call<[Summary]>('summarize_waitlist');
      if (json) printJson(summary);
      else for (const line of describe(summary)) console.log(formatFigure(...line));
    });
}

function describeUnknown(word: string, program: Command): string {
  const names = program.commands.map((command) => command.name());
  return `There is no command "${word}". Did you mean ${closest(word, names)}? Add --help for all commands.`;
}

type Line = [label: string, figure: number, reason?: string];

function describe(summary: Summary): Line[] {
  const { members, never_mailed, today, yesterday, waiting, waiting_since } = summary;
  const { waiting_announcements, refused, unknown, returned } = summary;
  const lines: (Line | false)[] = [
    ['members', members],
    ['mailable', members - never_mailed, never_mailed > 0 ? explainNeverMailed(never_mailed) : undefined],
    ['joined today', today, 'since 00:00 UTC'],
    ['joined yesterday', yesterday],
    [
      'waiting for the welcome',
      waiting,
      waiting_since
        ? `the oldest since ${formatTime(waiting_since)}, ${explainWait(summary, waiting)}`
        : undefined,
    ],
    waiting_announcements > 0 && [
      'announcements waiting',
      waiting_announcements,
      `after the welcomes: ${explainWait(summary, waiting + waiting_announcements)}`,
    ],
    refused > 0 && ['refused', refused, '"outbox" says why, "retry" queues them again'],
    unknown > 0 && ['unknown', unknown, 'may have been sent: "outbox" says why'],
    ...Object.entries({ bounced: 0, complained: 0, ...returned }).map(([kind, count]): Line => [kind, count]),
  ];
  return lines.filter((line) => line !== false);
}

function explainNeverMailed(count: number): string {
  return `${formatCount(count, 'member')} bounced permanently or complained; a temporary bounce stays mailable`;
}

function explainWait({ paused_until, problem, per_second }: Summary, messages: number): string {
  if (paused_until) return `paused until ${formatTime(paused_until)}${problem ? `: ${problem}` : ''}`;
  return `about ${formatDuration(messages / per_second)} at ${per_second} a second`;
}
