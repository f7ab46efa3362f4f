import type { Command } from 'commander';
import { describe, type Options, parseUpTo } from '../command.ts';
import { answer, formatCount, formatFigure, formatTime } from '../output.ts';
import { advise, formatAnnouncement, type Summary } from '../report.ts';
import type { Waitlist } from '../waitlist-client.ts';

const BAR = 40; // characters of the longest bar

export function addSummary(program: Command, open: () => Waitlist): void {
  describe(
    program.command('summary'),
    'Print the figures of the list, what waits, and what to do about anything that is wrong.',
    ['', '--hosted --json', 'summary --days 84'],
    'The bars count who joined and is still on the list. Days are in UTC.',
  )
    .option('--days <number>', 'show this many days, up to 3650, instead of the last 14', parseUpTo(3650))
    .action(async ({ days, json }: Options & { days?: number }) => {
      const summary = await open().call<Summary>('summarize_waitlist', { days });
      const advice = advise(summary);
      const last = advice.length > 0 ? ['', ...advice] : [];
      answer(json, { ...summary, advice }, ...write(summary), ...last);
    });
}

function write(summary: Summary): string[] {
  const { members, never_mailed, waiting, refused, unknown, bounced, complained } = summary;
  const { days, refused_today, announcements, deployment } = summary;
  const most = Math.max(1, ...days.map(({ joined }) => joined));
  const others = never_mailed > 0 ? 'the others bounced permanently, complained or were barred' : null;
  const left = days.reduce((total, { unsubscribed }) => total + unsubscribed, 0);
  const inAll = `${left.toLocaleString('en')} in ${formatCount(days.length, 'day')}`;
  const bars = days.map(({ day, joined }) =>
    formatFigure(`joined ${day}`, joined, '▇'.repeat(Math.ceil((joined / most) * BAR))),
  );
  return [
    formatFigure('members', members),
    formatFigure('mailable', members - never_mailed, others),
    ...bars,
    formatFigure('unsubscribed today', days.at(-1)!.unsubscribed, inAll),
    formatFigure('waiting for the welcome', waiting),
    formatFigure('refused', refused, '"outbox" says why, "retry" queues what may be sent'),
    formatFigure('unknown', unknown, 'may have been sent: "outbox" says why'),
    formatFigure('bounced', bounced, 'after a temporary bounce, a member is still mailed'),
    formatFigure('complained', complained),
    formatFigure('sign-ups refused today', refused_today, 'over a limit: see "limits"'),
    ...announcements.map(formatAnnouncement),
    ...(deployment
      ? [formatFigure('version', deployment.version, `deployed ${formatTime(deployment.deployed_at)}`)]
      : []),
  ];
}
