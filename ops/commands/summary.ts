import type { Command } from 'commander';
import { describe, type Options } from '../command.ts';
import { answer, type Delivery, formatCount, formatFigure, formatTime, formatWait } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** An announcement that was queued, with its messages by their state. */
export type Announcement = { name: string; is_stopped: boolean } & Record<
  'sent' | 'waiting' | 'refused' | 'unknown' | 'bounced' | 'complained',
  number
>;

type Figure = 'members' | 'never_mailed' | 'waiting' | 'waiting_announcements' | 'refused' | 'unknown';

/** What `summarize_waitlist` returns. `returned` counts members by the kind of event. */
interface Summary
  extends Delivery, Record<Figure | 'refused_today' | 'over_ceiling_today' | 'unknown_callers', number> {
  days: { day: string; joined: number; refused: number }[];
  waiting_since: string | null;
  announcements: Announcement[];
  returned: Record<string, number>;
}

export function addSummary(program: Command, open: () => Waitlist): void {
  describe(
    program.command('summary'),
    'Print the figures of the list, what waits, and what to do about anything that is wrong.',
    ['', '--hosted --json'],
  ).action(async ({ json }: Options) => {
    const [summary] = await open().call<[Summary]>('summarize_waitlist');
    const advice = advise(summary);
    answer(json, { ...summary, advice }, ...write(summary), ...(advice.length > 0 ? ['', ...advice] : []));
  });
}

function write(summary: Summary): string[] {
  const { members, never_mailed, waiting, waiting_since, refused_today } = summary;
  const { waiting_announcements, refused, unknown, returned } = summary;
  const skipped = `${formatCount(never_mailed, 'member')} bounced permanently or complained; after a temporary bounce, a member is still mailed`;
  const oldest =
    waiting_since && `the oldest since ${formatTime(waiting_since)}, ${formatWait(summary, waiting)}`;
  const afterward = `after the welcomes: ${formatWait(summary, waiting + waiting_announcements)}`;
  const lines = [
    formatFigure('members', members),
    formatFigure('mailable', members - never_mailed, never_mailed > 0 && skipped),
    ...drawDays(summary),
    formatFigure('waiting for the welcome', waiting, oldest),
    waiting_announcements > 0 && formatFigure('announcements waiting', waiting_announcements, afterward),
    refused > 0 && formatFigure('refused', refused, '"outbox" says why, "retry" queues them again'),
    unknown > 0 && formatFigure('unknown', unknown, 'may have been sent: "outbox" says why'),
    ...Object.entries({ bounced: 0, complained: 0, ...returned }).map((each) => formatFigure(...each)),
    refused_today > 0 &&
      formatFigure('sign-ups refused today', refused_today, 'over a limit: "limits" prints them'),
  ];
  return lines.filter((line) => line !== false);
}

/** Draws how many members joined on each day (UTC) as bars. The longest one is as wide as the last day with most members. */
function drawDays({ days }: Summary): string[] {
  const most = Math.max(1, ...days.map(({ joined }) => joined));
  return days.map(({ day, joined }, index) => {
    const label = index === days.length - 1 ? 'joined today' : `joined ${day}`;
    return formatFigure(label, joined, '▇'.repeat(Math.ceil((joined / most) * 40)));
  });
}

/** Says what to do about everything that is wrong. */
function advise(summary: Summary): string[] {
  const { brake, paused_until, problem, announcements, over_ceiling_today, unknown_callers } = summary;
  const stopped = announcements.filter(({ is_stopped, waiting }) => is_stopped && waiting > 0);
  const advice = [
    brake &&
      `The brake is on: ${brake}. Only the first welcome of each caller is sent. "outbox" lists what came back, "remove-undelivered" removes what a bot left behind, and "lift-brake" continues.`,
    paused_until &&
      `Deliveries are paused until ${formatTime(paused_until)}${problem ? `: ${problem}` : ''}. docs/launch.md, "While it runs", says what to do.`,
    ...stopped.map(
      ({ name, waiting }) =>
        `${name} is stopped, ${formatCount(waiting, 'message')} left: "announce ${name} --resume" sends them.`,
    ),
    over_ceiling_today > 0 &&
      `The emergency ceiling refused ${formatCount(over_ceiling_today, 'sign-up')} today. If the rush is honest, raise it: "limits set all_calls <number>".`,
    unknown_callers > 0 &&
      'Sign-ups arrive without the IP address of the caller, so callers are not limited: CALLER_HEADER is missing or wrong. ./waitlist deploy finds it.',
  ];
  return advice.filter((line) => typeof line === 'string');
}
