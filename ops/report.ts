import { formatCount, formatFigure, formatTime } from './output.ts';

/** An announcement that was queued, with the number of its messages in each state. */
export type Announcement = {
  name: string;
  template: string;
  is_stopped: boolean;
  stopped_because: string | null;
} & Record<'sent' | 'waiting' | 'refused' | 'unknown' | 'bounced' | 'complained', number>;

type Figure = 'members' | 'never_mailed' | 'waiting' | 'refused' | 'unknown' | 'bounced' | 'complained';

/** What `summarize_waitlist` returns. */
export interface Summary extends Record<Figure | 'per_second' | 'refused_today' | 'unknown_callers', number> {
  days: ({ day: string } & Record<'joined' | 'unsubscribed', number>)[];
  /** The welcomes that wait, and the turns of known addresses that signed up again. */
  ahead: number;
  announcements: Announcement[];
  /** Set while the provider accepts no messages, and after that until the clock calls. */
  paused_until: string | null;
  /** Why deliveries are paused, or else why the message that was tried last still waits. */
  problem: string | null;
  /** Set while bounces or complaints slow down welcomes to a tenth of the pace. */
  brake: string | null;
  /** Set when deliveries have not worked for a quarter of an hour, without a pause. */
  silent_since: string | null;
  is_read_only: boolean;
  is_closed: boolean;
  /** What was deployed last; null before the first deployment. */
  deployment: Record<'version' | 'deployed_at' | 'secret_fingerprint', string> | null;
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
    summary.is_closed && 'Sign-ups are closed: "limits set sign_ups 1" opens them.',
    !is_read_only &&
      silent_since &&
      `Nothing has been sent since ${formatTime(silent_since)}: deliveries do not work.${last} Run "probe", and check the function, its clock and the project at Supabase: docs/operations.md, “When nothing is sent”, has the steps.`,
    brake &&
      `The brake is on: ${brake}. Welcomes are sent at a tenth of the pace, announcements as usual. "outbox" lists what came back, "help remove-undelivered" says how to remove what a bot left behind, and "resume" ends the brake.`,
    paused_until &&
      `Deliveries are paused until ${formatTime(paused_until)}.${last} docs/launch.md, “While it runs”, says what to do, and "resume" tries again within a minute.`,
    ...stopped.map(
      ({ name, waiting, stopped_because }) =>
        `${name} is stopped${stopped_because ? ` because ${stopped_because}` : ''}, ${formatCount(waiting, 'message')} left: "announce ${name} --resume" sends them, and --discard deletes those that were certainly not sent.`,
    ),
    unknown_callers > 0 &&
      'Sign-ups arrive without the IP address of the caller, so callers are not limited: CALLER_HEADER is missing or wrong. "./waitlist deploy" looks for it.',
  ];
  return advice.filter((line) => typeof line === 'string');
}

/** Writes the figures of an announcement in one line. */
export function formatAnnouncement(announcement: Announcement): string {
  const { name, sent, waiting, refused, unknown, bounced, complained } = announcement;
  const others = { waiting, refused, unknown, bounced, complained };
  const story = Object.entries(others).map(([label, figure]) => `${figure.toLocaleString('en')} ${label}`);
  return formatFigure(`${name} sent`, sent, story.join(', '));
}

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
