import type { Command } from 'commander';
import { describe, type Options, parseCount } from '../command.ts';
import { answer, formatCount, formatFigure, formatTime } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** An announcement that was queued, with its messages by their state. */
export type Announcement = { name: string; is_stopped: boolean; stopped_because: string | null } & Record<
  'sent' | 'waiting' | 'refused' | 'unknown' | 'bounced' | 'complained',
  number
>;

type Figure = 'members' | 'never_mailed' | 'waiting' | 'refused' | 'unknown' | 'bounced' | 'complained';

/** What `summarize_waitlist` returns. */
export interface Summary extends Record<Figure | 'per_second' | 'refused_today' | 'unknown_callers', number> {
  days: ({ day: string } & Record<'joined' | 'unsubscribed', number>)[];
  /** The welcomes that wait, and the turns of known addresses that signed up again. */
  ahead: number;
  announcements: Announcement[];
  /** Set while the provider accepts no messages. */
  paused_until: string | null;
  /** Why the message that was tried last still waits. */
  problem: string | null;
  /** Set while bounces or complaints slow down welcomes to one a minute. */
  brake: string | null;
  /** Set while messages are due and none has been sent for a quarter of an hour, without a pause. */
  silent_since: string | null;
  is_read_only: boolean;
}

const BAR = 40; // characters of the longest

export function addSummary(program: Command, open: () => Waitlist): void {
  describe(
    program.command('summary'),
    'Print the figures of the list, what waits, and what to do about anything that is wrong.',
    ['', '--hosted --json', 'summary --days 84'],
    'The bars count who joined and is still on the list. Days are in UTC.',
  )
    .option('--days <number>', 'show this many days, up to 3,650, instead of the last 14', parseCount)
    .action(async ({ days, json }: Options & { days?: number }) => {
      const summary = await open().call<Summary>('summarize_waitlist', {
        days: days && Math.min(days, 3650),
      });
      const advice = advise(summary);
      const last = advice.length > 0 ? ['', ...advice] : [];
      answer(json, { ...summary, advice }, ...write(summary), ...last);
    });
}

function write(summary: Summary): string[] {
  const { members, never_mailed, waiting, refused, unknown, bounced, complained } = summary;
  const { days, refused_today, announcements } = summary;
  const most = Math.max(1, ...days.map(({ joined }) => joined));
  const left = days.reduce((total, { unsubscribed }) => total + unsubscribed, 0);
  const bars = days.map(({ day, joined }) =>
    formatFigure(`joined ${day}`, joined, '▇'.repeat(Math.ceil((joined / most) * BAR))),
  );
  return [
    formatFigure('members', members),
    formatFigure(
      'mailable',
      members - never_mailed,
      never_mailed > 0 ? 'the others bounced permanently or complained' : null,
    ),
    ...bars,
    formatFigure('unsubscribed today', days.at(-1)!.unsubscribed, `${left} in ${days.length} days`),
    formatFigure('waiting for the welcome', waiting),
    formatFigure('refused', refused, '"outbox" says why, "retry" queues them again'),
    formatFigure('unknown', unknown, 'may have been sent: "outbox" says why'),
    formatFigure('bounced', bounced, 'after a temporary bounce, a member is still mailed'),
    formatFigure('complained', complained),
    formatFigure('sign-ups refused today', refused_today, 'over a limit: "limits" prints them'),
    ...announcements.map(formatAnnouncement),
  ];
}

/** Writes the figures of an announcement in one line. */
export function formatAnnouncement(announcement: Announcement): string {
  const { name, sent, waiting, refused, unknown, bounced, complained } = announcement;
  const others = { waiting, refused, unknown, bounced, complained };
  const story = Object.entries(others).map(([label, figure]) => `${figure.toLocaleString('en')} ${label}`);
  return formatFigure(`${name} sent`, sent, story.join(', '));
}

/** Says what is wrong and what to do, the worst first. */
export function advise(summary: Summary): string[] {
  const { is_read_only, silent_since, brake, paused_until, problem } = summary;
  const { announcements, unknown_callers } = summary;
  const last = problem ? ` The last answer was: ${problem}.` : '';
  const stopped = announcements.filter(({ is_stopped, waiting }) => is_stopped && waiting > 0);
  const advice = [
    is_read_only &&
      'The database is read-only, usually because it is full. Nobody can sign up or unsubscribe, and nothing is sent. docs/operations.md, “When nothing is sent”, says what to do.',
    silent_since &&
      `Nothing has been sent since ${formatTime(silent_since)}, although messages are due.${last} Run "probe", and check the function, its clock and the project at Supabase: docs/operations.md, “When nothing is sent”, has the steps.`,
    brake &&
      `The brake is on: ${brake}. Welcomes are sent one a minute, announcements as usual. "outbox" lists what came back, "remove-undelivered" removes what a bot left behind, and "resume" ends the brake.`,
    paused_until &&
      `Deliveries are paused until ${formatTime(paused_until)}.${last} docs/launch.md, “While it runs”, says what to do, and "resume" continues at once.`,
    ...stopped.map(
      ({ name, waiting, stopped_because }) =>
        `${name} is stopped${stopped_because ? ` because ${stopped_because}` : ''}, ${formatCount(waiting, 'message')} left: "announce ${name} --resume" sends them.`,
    ),
    unknown_callers > 0 &&
      'Sign-ups arrive without the IP address of the caller, so callers are not limited: CALLER_HEADER is missing or wrong. "./waitlist deploy" finds it.',
  ];
  return advice.filter((line) => typeof line === 'string');
}
