import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { confirm, describe, type Options, parseCount, parseEmail, UsageError } from '../command.ts';
import {
  answer,
  answerRows,
  type Delivery,
  formatCount,
  formatFigure,
  formatWait,
  note,
  say,
} from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';
import type { Announcement } from './summary.ts';

const FREE_QUOTA = 100; // messages a day on Resend's free plan: https://resend.com/pricing
const POLL = 10_000; // milliseconds

type Preview = Record<'is_changed' | 'is_stopped', boolean> &
  Record<'recipients' | 'queued_before' | 'never_mailed' | 'welcome_waits' | 'not_delivered', number>;

const notes = `Run it as often as you like: nobody gets an announcement twice, and a later run adds the members who joined since.
With --first 1000 it is queued until 1,000 members have it, so a second run adds nobody; the next wave is --first 2000.
Members are skipped while their welcome waits, if it did not arrive, and if they bounced permanently or complained.
Welcomes are sent first. Once an announcement is queued, its words cannot change. docs/launch.md is the checklist for
launch day.`;

type Progress = Announcement & Delivery;

export function addAnnounce(program: Command, open: () => Waitlist): void {
  describe(
    program.command('announce'),
    'Send an announcement to every member, once. Shows what it would do and asks first. Without a name, it lists the announcements.',
    ['announce', 'announce launch --to me@example.com', 'announce launch --watch'],
    notes,
  )
    .argument('[name]', 'the name of a file in content/announcements/, without .mdx')
    .option('--to <address>', 'send one test message at once, and change nothing', parseEmail)
    .option(
      '--first <number>',
      'send it in the order of joining, until this many members have it',
      parseCount,
    )
    .option('--watch', 'show how many are sent, waiting and failed, until all are done or it is stopped')
    .option('--stop', 'stop sending it until --resume')
    .option('--resume', 'continue after a stop')
    .option('--yes', 'do not ask')
    .action((name: string | undefined, { to, first, watch, stop, resume, yes, json }: Mode) => {
      const modes = [to, first ?? yes, watch, stop, resume].filter((mode) => mode !== undefined);
      if (modes.length > (name === undefined ? 0 : 1))
        throw new UsageError('Use one of --to, --first, --watch, --stop and --resume, after a name.');
      const waitlist = open();
      if (name === undefined) return list(waitlist, json);
      if (watch) return showProgress(waitlist, name, json);
      if (stop || resume) return setStopped(waitlist, name, stop === true, json);
      return to ? sendTest(waitlist, name, to, json) : queue(waitlist, name, { first, yes, json });
    });
}

type Mode = Options & { to?: string; first?: number; watch?: true; stop?: true; resume?: true };

/** Prints the announcements that were queued, then those that are only written. */
async function list(waitlist: Waitlist, json?: true): Promise<void> {
  const queued = (await readQueued(waitlist)).map((one) => ({ ...one, state: describeProgress(one) }));
  const written = (await loadContent()).listAnnouncements();
  const others = written
    .filter(({ name }) => !queued.some((one) => one.name === name))
    .map(({ name, isDraft }) => ({
      name,
      state: isDraft ? 'a draft' : `not queued: "announce ${name}" shows what it would do`,
    }));
  answerRows(json, [...queued, ...others], ({ name, state }) => `${name.padEnd(24)} ${state}`);
}

async function queue(waitlist: Waitlist, name: string, { first, yes, json }: Mode): Promise<void> {
  const { readAnnouncement } = await loadContent();
  const { template, warnings } = await readAnnouncement(name, waitlist.project);
  const call = { name, message: JSON.stringify(template), first };
  const [preview] = await waitlist.call<[Preview]>('preview_announcement', call);
  const { recipients, queued_before, never_mailed, welcome_waits, not_delivered } = preview;
  const changed = new Error(
    `${name} is already queued, and its message has changed since then: its words, a fact, a link or the look of emails. Everybody gets the same message. Undo the change, or write another announcement.`,
  );
  if (preview.is_changed) throw changed;
  // With --json, the figures come at the end.
  const show = json ? note : say;
  const [delivery] = await waitlist.call<[Delivery]>('summarize_waitlist');
  show(`${name}: ${template.subject}`, ...warnings, ...describePreview(name, preview, delivery));
  let queued = 0;
  if (recipients > 0) {
    await confirm(`Send ${name} to ${formatCount(recipients, 'member')}?`, yes);
    const [done] = await waitlist.call<[{ outcome: string; queued: number }]>('queue_announcement', call);
    if (done.outcome === 'changed') throw changed;
    queued = done.queued;
  }
  const figures = { recipients, queued_before, never_mailed, welcome_waits, not_delivered, queued };
  const said = `Queued: ${formatCount(queued, 'message')}. "announce ${name} --watch" shows the progress.`;
  if (json || queued > 0) answer(json, { name, subject: template.subject, warnings, ...figures }, said);
}

function describePreview(name: string, preview: Preview, delivery: Delivery): string[] {
  const { recipients, queued_before, never_mailed, welcome_waits, not_delivered } = preview;
  const { ahead } = delivery;
  const days = formatCount(Math.ceil((recipients + ahead) / FREE_QUOTA), 'day');
  const time = `${formatWait(delivery, recipients)}; about ${days} at ${FREE_QUOTA} a day (Resend's free plan)`;
  const lines = [
    formatFigure('recipients', recipients, recipients > 0 && time),
    queued_before > 0 && formatFigure('queued before', queued_before, 'already sent or waiting'),
    welcome_waits > 0 && formatFigure('skipped', welcome_waits, 'their welcome waits: a later run adds them'),
    not_delivered > 0 &&
      formatFigure('skipped', not_delivered, 'their welcome was refused, or may not have been sent'),
    never_mailed > 0 && formatFigure('skipped', never_mailed, 'bounced permanently or complained'),
    ahead > 0 && formatFigure('waiting welcomes', ahead, 'are sent first'),
    preview.is_stopped && `It is stopped. "announce ${name} --resume" continues it.`,
    recipients === 0 && 'There is nobody left to send it to.',
  ];
  return lines.filter((line) => line !== false);
}

/** Sends a test message itself: whatever the provider answers, it touches no queue. */
async function sendTest(waitlist: Waitlist, name: string, email: string, json?: true): Promise<void> {
  const { readAnnouncement, sendOnce } = await loadContent();
  const { template, warnings } = await readAnnouncement(name, waitlist.project, { isTest: true });
  if (warnings.length > 0) note(...warnings);
  const [member] = await waitlist.call<{ id: string; is_never_mailed: boolean }[]>('find_member', { email });
  if (member?.is_never_mailed)
    throw new Error(`Not sent: ${email} bounced permanently or complained. "forgive ${email}" changes that.`);
  const outcome = await sendOnce(template, email, member?.id ?? randomUUID(), waitlist.project);
  if (outcome.kind !== 'sent')
    throw new Error(
      `${outcome.kind === 'unanswered' ? 'Perhaps not sent' : 'Not sent'} to ${email}: ${outcome.problem}. It will not be tried again.`,
    );
  answer(json, { name, email, state: 'sent' }, `Sent to ${email}: one test message. Nobody else got it.`);
}

async function showProgress(waitlist: Waitlist, name: string, json?: true): Promise<void> {
  let progress = await readProgress(waitlist, name);
  for (let before = ''; ; progress = await readProgress(waitlist, name)) {
    const line = json ? JSON.stringify(progress) : describeProgress(progress);
    if (line !== before) say(line);
    before = line;
    if (progress.waiting === 0 || progress.is_stopped) break;
    await wait(POLL);
  }
  const { waiting, refused, unknown, is_stopped, bounced, complained, unsubscribed } = progress;
  if (is_stopped && waiting > 0) throw new Error(`${name} is ${describeStop(progress)}.`);
  if (json) return;
  if (refused + unknown > 0) say('"outbox" says why messages failed, and "retry" queues them again.');
  say(
    `So far, ${bounced} bounced, ${complained} complained, and ${unsubscribed} unsubscribed in the week after it was queued.`,
  );
}

async function setStopped(waitlist: Waitlist, name: string, isStopped: boolean, json?: true): Promise<void> {
  const { stopped_because } = await readProgress(waitlist, name);
  await waitlist.call('stop_announcement', { name, is_stopped: isStopped });
  const { waiting } = await readProgress(waitlist, name);
  const left = `${formatCount(waiting, 'message')} left`;
  const because = stopped_because ? ` It had stopped because ${stopped_because}.` : '';
  const said = isStopped
    ? `Stopped. ${left}; "announce ${name} --resume" sends them.`
    : `Resumed. ${left}.${because}`;
  answer(json, { name, is_stopped: isStopped, waiting, stopped_because }, said);
}

/** Reads the announcements that were queued, each with the pace of deliveries. */
async function readQueued(waitlist: Waitlist): Promise<Progress[]> {
  const [summary] = await waitlist.call<[Delivery & { announcements: Announcement[] }]>('summarize_waitlist');
  const { per_second, paused_until, problem, brake, ahead, announcements } = summary;
  return announcements.map((one) => ({ ...one, per_second, paused_until, problem, brake, ahead }));
}

/** @throws UsageError when it was never queued. */
async function readProgress(waitlist: Waitlist, name: string): Promise<Progress> {
  const progress = (await readQueued(waitlist)).find((queued) => queued.name === name);
  if (!progress) throw (await loadContent()).explainUnknown(name);
  return progress;
}

function describeProgress(progress: Progress): string {
  const { sent, waiting, refused, unknown, is_stopped } = progress;
  const figures = Object.entries({ sent, waiting, failed: refused + unknown });
  return [
    ...figures.map(([label, figure]) => `${figure.toLocaleString('en')} ${label}`),
    ...(waiting === 0 ? [] : [is_stopped ? describeStop(progress) : formatWait(progress, waiting)]),
  ].join(', ');
}

function describeStop({ name, stopped_because }: Announcement): string {
  return `stopped${stopped_because ? ` because ${stopped_because}` : ''}: "announce ${name} --resume" continues it`;
}

/** Loads the code that reads announcements: only when needed, so that the other commands start faster. */
const loadContent = () => import('../announcement.ts');
