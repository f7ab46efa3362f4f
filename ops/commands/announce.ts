import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { confirm, describe, type Options, parseCount, parseEmail, UsageError } from '../command.ts';
import {
  answer,
  answerRows,
  type Delivery,
  formatCount,
  formatDuration,
  formatFigure,
  formatWait,
  note,
  say,
  sayAgain,
} from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';
import type { Announcement } from './summary.ts';

const FREE_QUOTA = 100; // messages a day on Resend's free plan: https://resend.com/pricing
const TEST_PATIENCE = 120_000; // milliseconds; a hosted project delivers every minute
const POLL = 2_000; // milliseconds

type Preview = Record<'is_changed' | 'is_stopped', boolean> &
  Record<'recipients' | 'queued_before' | 'never_mailed' | 'waiting_welcomes' | 'per_second', number>;

const notes = `Run it as often as you like: nobody gets an announcement twice, and a later run adds the members who joined since.
Members whose address bounced permanently or complained are skipped. Welcomes are sent first. Once an announcement is
queued, its words cannot change. docs/launch.md is the checklist for launch day.`;

type Progress = Announcement & Delivery;

export function addAnnounce(program: Command, open: () => Waitlist): void {
  describe(
    program.command('announce'),
    'Send an announcement to every member, once. Shows what it would do and asks first. Without a name, it lists the announcements.',
    [
      'announce',
      'announce launch --to me@example.com',
      'announce launch --first 1000',
      'announce launch --watch',
      'announce launch --stop',
    ],
    notes,
  )
    .argument('[name]', 'the name of a file in content/announcements/, without .mdx')
    .option('--to <address>', 'send one test message, and change nothing else', parseEmail)
    .option('--first <number>', 'only so many of the members who lack it, the oldest first', parseCount)
    .option('--watch', 'show how many are sent, waiting and failed, until all are done')
    .option('--stop', 'stop sending it until --resume')
    .option('--resume', 'continue after --stop')
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
    .filter((name) => !queued.some((one) => one.name === name))
    .map((name) => ({ name, state: `not queued: "announce ${name}" shows what it would do` }));
  answerRows(json, [...queued, ...others], ({ name, state }) => `${name.padEnd(24)} ${state}`);
}

async function queue(waitlist: Waitlist, name: string, { first, yes, json }: Mode): Promise<void> {
  const { readAnnouncement } = await loadContent();
  const { subject, message } = await readAnnouncement(name, waitlist.project);
  const [preview] = await waitlist.call<[Preview]>('preview_announcement', { name, message, first });
  const { recipients, queued_before, never_mailed, is_changed } = preview;
  const changed = new Error(
    `${name} is already queued, and its message has changed since then: its words, a fact, a link or the look of emails. Everybody gets the same message. Undo the change, or write another announcement.`,
  );
  if (is_changed) throw changed;
  // With --json, the figures come at the end.
  const show = json ? note : say;
  if (!json || !yes) show(...describePreview(name, subject, preview));
  let queued = 0;
  if (recipients > 0) {
    await confirm(`Send ${name} to ${formatCount(recipients, 'member')}?`, yes);
    const call = { name, message, first };
    const [done] = await waitlist.call<[{ outcome: string; queued: number }]>('queue_announcement', call);
    if (done.outcome === 'changed') throw changed;
    queued = done.queued;
  }
  const said = `Queued: ${formatCount(queued, 'message')}. "announce ${name} --watch" shows the progress.`;
  if (json || queued > 0)
    answer(json, { name, subject, recipients, queued_before, never_mailed, queued }, said);
}

function describePreview(name: string, subject: string, preview: Preview): string[] {
  const { recipients, queued_before, never_mailed, waiting_welcomes, per_second, is_stopped } = preview;
  const ahead = recipients + waiting_welcomes;
  const days = formatCount(Math.ceil(ahead / FREE_QUOTA), 'day');
  const time = `about ${formatDuration(ahead / per_second)} at ${per_second} a second; about ${days} at ${FREE_QUOTA} a day (Resend's free plan)`;
  const lines = [
    `${name}: ${subject}`,
    formatFigure('recipients', recipients, recipients > 0 && time),
    queued_before > 0 && formatFigure('queued before', queued_before, 'already sent or waiting'),
    never_mailed > 0 && formatFigure('skipped', never_mailed, 'bounced permanently or complained'),
    waiting_welcomes > 0 && formatFigure('waiting welcomes', waiting_welcomes, 'are sent first'),
    is_stopped && `It is stopped. "announce ${name} --resume" continues it.`,
    recipients === 0 && 'There is nobody left to send it to.',
  ];
  return lines.filter((line) => line !== false);
}

async function sendTest(waitlist: Waitlist, name: string, email: string, json?: true): Promise<void> {
  const { readAnnouncement } = await loadContent();
  const { message } = await readAnnouncement(name, waitlist.project);
  const id = await waitlist.call<string>('queue_test', { message, email });
  if (process.stderr.isTTY) note('Waiting for the next delivery, which starts within a minute…');
  const giveUpAt = Date.now() + TEST_PATIENCE;
  let state, problem;
  do {
    await wait(POLL);
    [{ state, problem }] = await waitlist.call<[{ state: string; problem: string | null }]>('find_test', {
      id,
    });
  } while (state === 'waiting' && Date.now() < giveUpAt);
  await waitlist.call('forget_test', { id });
  if (state !== 'sent')
    throw new Error(
      `Not sent to ${email}: ${problem ?? 'no delivery has started'}. It will not be sent later.`,
    );
  answer(json, { name, email, state }, `Sent to ${email}: one test message. Nobody else got it.`);
}

async function showProgress(waitlist: Waitlist, name: string, json?: true): Promise<void> {
  const isScreen = process.stdout.isTTY && !json;
  let progress;
  for (let before = ''; progress?.waiting !== 0; await wait(progress.waiting && POLL)) {
    progress = await readProgress(waitlist, name);
    const line = json ? JSON.stringify(progress) : describeProgress(progress);
    if (isScreen) sayAgain(line);
    else if (line !== before) say(line);
    before = line;
  }
  if (json) return;
  if (isScreen) say();
  const { refused, unknown, bounced, complained } = progress;
  if (refused + unknown > 0) say('"outbox" says why messages failed, and "retry" queues them again.');
  say(`${bounced.toLocaleString('en')} bounced and ${complained.toLocaleString('en')} complained so far.`);
}

async function setStopped(waitlist: Waitlist, name: string, isStopped: boolean, json?: true): Promise<void> {
  await waitlist.call('stop_announcement', { name, is_stopped: isStopped });
  const { waiting } = await readProgress(waitlist, name);
  const left = `${formatCount(waiting, 'message')} left`;
  const said = isStopped ? `Stopped. ${left}; "announce ${name} --resume" sends them.` : `Resumed. ${left}.`;
  answer(json, { name, is_stopped: isStopped, waiting }, said);
}

/** Reads the announcements that were queued, each with the pace of deliveries. */
async function readQueued(waitlist: Waitlist): Promise<Progress[]> {
  const [summary] = await waitlist.call<[Delivery & { announcements: Announcement[] }]>('summarize_waitlist');
  const { per_second, paused_until, problem, brake, announcements } = summary;
  return announcements.map((one) => ({ ...one, per_second, paused_until, problem, brake }));
}

/** @throws UsageError when it was never queued. */
async function readProgress(waitlist: Waitlist, name: string): Promise<Progress> {
  const progress = (await readQueued(waitlist)).find((queued) => queued.name === name);
  if (!progress) throw (await loadContent()).explainUnknown(name);
  return progress;
}

function describeProgress(progress: Progress): string {
  const { name, sent, waiting, refused, unknown, is_stopped } = progress;
  const figures = Object.entries({ sent, waiting, failed: refused + unknown });
  const stopped = `stopped: "announce ${name} --resume" continues`;
  return [
    ...figures.map(([label, figure]) => `${figure.toLocaleString('en')} ${label}`),
    ...(waiting === 0 ? [] : [is_stopped ? stopped : formatWait(progress, waiting)]),
  ].join(', ');
}

/** Loads the code that reads announcements: only when needed, so that the other commands start faster. */
const loadContent = () => import('../announcement.ts');
