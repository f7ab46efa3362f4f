import type { Command } from 'commander';
import { describe, type Options, parseCount } from '../command.ts';
import { answer, type Delivery, formatCount, formatFigure, formatTime, formatWait } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** An announcement that was queued, with its messages by their state, and how many members left in the week after. */
export type Announcement = { name: string; is_stopped: boolean; stopped_because: string | null } & Record<
  'sent' | 'waiting' | 'refused' | 'unknown' | 'bounced' | 'complained' | 'unsubscribed',
  number
>;

type Figure = 'members' | 'never_mailed' | 'waiting' | 'waiting_announcements' | 'refused' | 'unknown';

/** What `summarize_waitlist` returns. `returned` counts members by the kind of event. */
export interface Summary extends Delivery, Record<Figure | 'refused_today' | 'unknown_callers', number> {
  days: ({ day: string } & Record<'joined' | 'unsubscribed', number>)[];
  waiting_since: string | null;
  announcements: Announcement[];
  returned: Record<string, number>;
  /** Set while messages are due and none has been sent for a quarter of an hour, without a pause. */
  silent_since: string | null;
  is_read_only: boolean;
}

const LONGEST_BAR = 40; // characters
const BEFORE_BAR = 36; // characters

export function addSummary(program: Command, open: () => Waitlist): void {
  describe(
    program.command('summary'),
    'Print the figures of the list, what waits, and what to do about anything that is wrong.',
    ['', '--hosted --json', 'summary --weeks 12'],
    'The bars count who joined and is still on the list. Days are in UTC.',
  )
    .option('--weeks <number>', 'show this many weeks, up to 520, instead of the last 14 days', parseCount)
    .action(async ({ weeks, json }: Options & { weeks?: number }) => {
      const days = Math.min(weeks ?? 2, 520) * 7;
      const [summary] = await open().call<[Summary]>('summarize_waitlist', { days });
      const alarm = findAlarm(summary);
      const advice = advise(summary);
      const first = alarm ? [alarm, ''] : [];
      const last = advice.length > 0 ? ['', ...advice] : [];
      answer(
        json,
        { ...summary, advice: alarm ? [alarm, ...advice] : advice },
        ...[...first, ...write(summary, weeks), ...last],
      );
    });
}

function write(summary: Summary, weeks?: number): string[] {
  const { members, never_mailed, waiting, waiting_since, ahead, refused_today, days } = summary;
  const { waiting_announcements, refused, unknown, returned, announcements } = summary;
  const skipped = `${formatCount(never_mailed, 'member')} bounced permanently or complained; after a temporary bounce, a member is still mailed`;
  const places = ahead > waiting && `with ${formatCount(ahead - waiting, 'turn')} of repeated sign-ups`;
  const oldest = waiting_since && `the oldest since ${formatTime(waiting_since)}`;
  const left = [
    `${sum(days, 'unsubscribed').toLocaleString('en')} in ${formatCount(days.length, 'day')}`,
    ...announcements
      .filter(({ unsubscribed }) => unsubscribed > 0)
      .map(({ name, unsubscribed }) => `${unsubscribed.toLocaleString('en')} in the week after ${name}`),
  ];
  const lines = [
    formatFigure('members', members),
    formatFigure('mailable', members - never_mailed, never_mailed > 0 && skipped),
    ...draw(weeks ? groupByWeek(days) : days.map(({ day, joined }) => ({ label: `joined ${day}`, joined }))),
    formatFigure('unsubscribed today', days.at(-1)!.unsubscribed, left.join(', ')),
    formatFigure(
      'waiting for the welcome',
      waiting,
      ahead > 0 && [oldest, places, formatWait(summary)].filter(Boolean).join(', '),
    ),
    waiting_announcements > 0 &&
      formatFigure(
        'announcements waiting',
        waiting_announcements,
        formatWait(summary, waiting_announcements),
      ),
    refused > 0 && formatFigure('refused', refused, '"outbox" says why, "retry" queues them again'),
    unknown > 0 && formatFigure('unknown', unknown, 'may have been sent: "outbox" says why'),
    ...Object.entries({ bounced: 0, complained: 0, ...returned }).map((each) => formatFigure(...each)),
    refused_today > 0 &&
      formatFigure('sign-ups refused today', refused_today, 'over a limit: "limits" prints them'),
  ];
  return lines.filter((line) => line !== false);
}

function sum<Name extends string>(days: Record<Name, number>[], name: Name): number {
  return days.reduce((total, day) => total + day[name], 0);
}

function groupByWeek(days: Summary['days']): { label: string; joined: number }[] {
  return Array.from({ length: days.length / 7 }, (_, week) => {
    const its = days.slice(week * 7, week * 7 + 7);
    return { label: `7 days to ${its.at(-1)!.day}`, joined: sum(its, 'joined') };
  });
}

/** Draws how many members joined as bars, the last of which is that of today. */
function draw(bars: { label: string; joined: number }[]): string[] {
  const most = Math.max(1, ...bars.map(({ joined }) => joined));
  const longest = Math.max(0, Math.min(LONGEST_BAR, (process.stdout.columns || 80) - BEFORE_BAR));
  return bars.map(({ label, joined }, index) =>
    formatFigure(
      index === bars.length - 1 ? label.replace(/\S+$/, 'today') : label,
      joined,
      '▇'.repeat(Math.ceil((joined / most) * longest)),
    ),
  );
}

/** Says that nothing is sent, and what to do. */
export function findAlarm({ silent_since, is_read_only, problem }: Summary): string | undefined {
  if (is_read_only)
    return 'The database is read-only, usually because it is full. Nobody can sign up or unsubscribe, and nothing is sent. docs/operations.md, “When nothing is sent”, says what to do.';
  const last = problem ? ` The last answer was: ${problem}.` : '';
  if (silent_since)
    return `Nothing has been sent since ${formatTime(silent_since)}, although messages are due.${last} Run "probe", and check the function, its clock and the project at Supabase: docs/operations.md, “When nothing is sent”, has the steps.`;
  return undefined;
}

/** Says what to do about everything else that is wrong. */
export function advise(summary: Summary): string[] {
  const { brake, paused_until, problem, announcements, unknown_callers } = summary;
  const stopped = announcements.filter(({ is_stopped, waiting }) => is_stopped && waiting > 0);
  const advice = [
    brake &&
      `The brake is on: ${brake}. Welcomes are sent one a minute, announcements as usual. "outbox" lists what came back, "remove-undelivered" removes what a bot left behind, and "resume" ends the brake.`,
    paused_until &&
      `Deliveries are paused until ${formatTime(paused_until)}${problem ? `: ${problem}` : ''}. docs/launch.md, “While it runs”, says what to do, and "resume" continues at once.`,
    ...stopped.map(
      ({ name, waiting, stopped_because }) =>
        `${name} is stopped${stopped_because ? ` because ${stopped_because}` : ''}, ${formatCount(waiting, 'message')} left: "announce ${name} --resume" sends them.`,
    ),
    unknown_callers > 0 &&
      'Sign-ups arrive without the IP address of the caller, so callers are not limited: CALLER_HEADER is missing or wrong. "./waitlist deploy" finds it.',
  ];
  return advice.filter((line) => typeof line === 'string');
}
