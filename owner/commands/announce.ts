import { setTimeout as wait } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { parseEmail } from '../arguments.ts';
import { confirm } from '../confirmation.ts';
import { formatCount, formatDuration, formatFigure, formatTime } from '../formats.ts';
import { printJson } from '../output.ts';
import type { Project } from '../project.ts';
import { UsageError } from '../usage-error.ts';
import { Waitlist } from '../waitlist-client.ts';

const FREE_QUOTA = 100; // messages a day on Resend's free plan: https://resend.com/pricing
const TEST_PATIENCE = 120_000; // milliseconds; a hosted project delivers every minute
const POLL = 2_000; // milliseconds
const REPORT = 60_000; // milliseconds between two lines of progress in a log

interface Options {
  to?: string;
  watch?: true;
  stop?: true;
  resume?: true;
  yes?: true;
  json?: true;
}

/** What queueing an announcement would do. */
interface Preview {
  /** The members who would be queued now. */
  recipients: number;
  queued_before: number;
  /** Members who are skipped, because their address bounced permanently or complained. */
  never_mailed: number;
  waiting_welcomes: number;
  per_second: number;
  /** Whether it was queued with another message. */
  is_changed: boolean;
  is_stopped: boolean;
}

/** How far an announcement is. */
interface Progress {
  sent: number;
  waiting: number;
  refused: number;
  unknown: number;
  bounced: number;
  complained: number;
  per_second: number;
  is_stopped: boolean;
  /** Set while the provider takes no more messages. */
  paused_until: string | null;
  /** Why the message that was tried last still waits. */
  problem: string | null;
}

/** Adds the command that writes to every member. */
export function addAnnounce(program: Command, choose: () => Project): void {
  program
    .command('announce')
    .description(
      'Send an announcement to every member, once. Without an option it shows what it would do, and asks.',
    )
    .argument('<name>', 'the name of a file in content/announcements/, without .mdx')
    .addOption(
      new Option('--to <address>', 'send one test message to this address, and change nothing else')
        .argParser(parseEmail)
        .conflicts(['watch', 'stop', 'resume', 'yes']),
    )
    .addOption(
      new Option('--watch', 'show how many are sent, waiting and failed until all are done').conflicts([
        'stop',
        'resume',
        'yes',
      ]),
    )
    .addOption(new Option('--stop', 'send no more of it until --resume').conflicts(['resume', 'yes']))
    .addOption(new Option('--resume', 'go on after --stop').conflicts(['yes']))
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
Run it as often as you like: nobody gets an announcement twice, and a later run adds the members who joined since.
Members whose address bounced permanently or complained are skipped. Welcomes are sent first. Once an announcement is
queued, its words cannot change. docs/launch.md is the checklist for the day of the launch.

Examples:
  npm run waitlist -- announce launch --to me@example.com
  npm run waitlist -- announce launch
  npm run waitlist -- announce launch --watch
  npm run waitlist -- announce launch --stop`,
    )
    .action((name: string, options: Options) => {
      const project = choose();
      const waitlist = new Waitlist(project);
      if (options.watch) return watch(waitlist, name, options);
      if (options.stop || options.resume) return setStopped(waitlist, name, options);
      if (options.to) return sendTest(waitlist, name, project, options.to, options);
      return queue(waitlist, name, project, options);
    });
}

async function queue(
  waitlist: Waitlist,
  name: string,
  project: Project,
  { yes, json }: Options,
): Promise<void> {
  const { readAnnouncement } = await loadContent();
  const { subject, message } = await readAnnouncement(name, project);
  const [preview] = await waitlist.call<[Preview]>('preview_announcement', { name, message });
  if (preview.is_changed) throw new Error(explainChange(name));
  const { recipients, queued_before, never_mailed } = preview;
  const finish = (queued: number) => {
    if (json) printJson({ name, subject, recipients, queued_before, never_mailed, queued });
    else if (queued > 0)
      console.log(
        `Queued: ${formatCount(queued, 'message')}. "announce ${name} --watch" shows the progress.`,
      );
  };
  // With --json, the figures come at the end.
  const show = json ? console.error : console.log;
  if (!json || !yes) for (const line of describePreview(name, subject, preview)) show(line);
  if (recipients === 0) return finish(0);
  const question = `Send ${name} to ${formatCount(recipients, 'member')}?`;
  const isAgreed = await confirm(question, yes);
  if (isAgreed === undefined) throw new UsageError(`${question} There is no terminal to ask at. Add --yes.`);
  if (!isAgreed) throw new Error('Nothing was changed.');
  const [{ outcome, queued }] = await waitlist.call<[{ outcome: string; queued: number }]>(
    'queue_announcement',
    { name, message },
  );
  if (outcome === 'changed') throw new Error(explainChange(name));
  finish(queued);
}

function describePreview(name: string, subject: string, preview: Preview): string[] {
  const { recipients, queued_before, never_mailed, waiting_welcomes, per_second, is_stopped } = preview;
  const ahead = recipients + waiting_welcomes;
  const days = formatCount(Math.ceil(ahead / FREE_QUOTA), 'day');
  const time = `about ${formatDuration(ahead / per_second)} at ${per_second} a second; about ${days} at ${FREE_QUOTA} a day (Resend's free plan)`;
  return [
    `${name}: ${subject}`,
    formatFigure('recipients', recipients, recipients > 0 ? time : undefined),
    ...(queued_before > 0 ? [formatFigure('queued before', queued_before, 'they got it, or will')] : []),
    ...(never_mailed > 0 ? [formatFigure('skipped', never_mailed, 'bounced permanently or complained')] : []),
    ...(waiting_welcomes > 0 ? [formatFigure('welcomes that wait', waiting_welcomes, 'are sent first')] : []),
    ...(is_stopped ? [`It is stopped. "announce ${name} --resume" goes on.`] : []),
    ...(recipients === 0 ? [`Nobody is left to send it to.`] : []),
  ];
}

function explainChange(name: string): string {
  return `${name} is queued already, and its message has changed since: its words, a fact, a link or the look of emails. Everybody gets the same message. Undo the change, or write another announcement.`;
}

async function sendTest(
  waitlist: Waitlist,
  name: string,
  project: Project,
  email: string,
  { json }: Options,
): Promise<void> {
  const { readAnnouncement } = await loadContent();
  const { message } = await readAnnouncement(name, project);
  const queued = waitlist.call<string>('queue_test', { message, email });
  const forget = async () => waitlist.call('forget_test', { id: await queued });
  const find = async () =>
    waitlist.call<{ state: string; problem: string | null }[]>('find_test', { id: await queued });
  const interrupt = () => void forget().finally(() => process.exit(130));
  process.once('SIGINT', interrupt);
  try {
    if (process.stderr.isTTY) console.error('Waiting for the next delivery, a minute at most…');
    const giveUpAt = Date.now() + TEST_PATIENCE;
    let [test] = await find();
    while (test?.state === 'waiting' && Date.now() < giveUpAt) {
      await wait(POLL);
      [test] = await find();
    }
    const { state = 'unknown', problem = null } = test ?? {};
    if (state !== 'sent') process.exitCode = 1;
    if (json) printJson({ name, email, state, problem });
    else if (state === 'sent') console.log(`Sent to ${email}: one test message. Nobody else got it.`);
    else
      console.error(`Not sent to ${email}: ${problem ?? 'no delivery has started'}. It is not sent later.`);
  } finally {
    process.off('SIGINT', interrupt);
    await forget();
  }
}

async function watch(waitlist: Waitlist, name: string, { json }: Options): Promise<void> {
  const isScreen = process.stdout.isTTY && !json;
  let shownAt = -Infinity;
  let before = '';
  for (;;) {
    const progress = await readProgress(waitlist, name);
    const line = json ? JSON.stringify(progress) : describeProgress(progress);
    const isDone = progress.waiting === 0;
    if (isScreen) process.stdout.write(`\r\x1b[K${line.slice(0, process.stdout.columns)}`);
    else if (line !== before && (json || isDone || Date.now() - shownAt >= REPORT)) {
      console.log(line);
      [before, shownAt] = [line, Date.now()];
    }
    if (isDone) {
      if (isScreen) console.log();
      if (!json) for (const advice of describeEnd(progress)) console.log(advice);
      return;
    }
    await wait(POLL);
  }
}

async function setStopped(waitlist: Waitlist, name: string, { stop, json }: Options): Promise<void> {
  const isStopped = stop === true;
  if (!(await waitlist.call('stop_announcement', { name, is_stopped: isStopped })))
    throw await explainUnknown(name);
  const { waiting } = await readProgress(waitlist, name);
  if (json) printJson({ name, is_stopped: isStopped, waiting });
  else if (isStopped)
    console.log(`Stopped. ${formatCount(waiting, 'message')} left; "announce ${name} --resume" sends them.`);
  else console.log(`Resumed. ${formatCount(waiting, 'message')} left.`);
}

/** @throws UsageError when it was never queued. */
async function readProgress(waitlist: Waitlist, name: string): Promise<Progress> {
  const [progress] = await waitlist.call<Progress[]>('summarize_announcement', { name });
  if (!progress) throw await explainUnknown(name);
  return progress;
}

function describeProgress(progress: Progress): string {
  const { sent, waiting, refused, unknown } = progress;
  const figures = { sent, waiting, failed: refused + unknown };
  return [
    ...Object.entries(figures).map(([label, figure]) => `${figure.toLocaleString('en')} ${label}`),
    ...(waiting > 0 ? [describeWait(progress)] : []),
  ].join(', ');
}

function describeWait({ waiting, per_second, is_stopped, paused_until, problem }: Progress): string {
  if (is_stopped) return 'stopped';
  if (paused_until) return `paused until ${formatTime(paused_until)}${problem ? `: ${problem}` : ''}`;
  return `about ${formatDuration(waiting / per_second)} left`;
}

function describeEnd({ refused, unknown, bounced, complained }: Progress): string[] {
  return [
    ...(refused + unknown > 0 ? ['"outbox" says why messages failed, and "retry" queues them again.'] : []),
    `${bounced.toLocaleString('en')} bounced and ${complained.toLocaleString('en')} complained so far.`,
  ];
}

async function explainUnknown(name: string): Promise<UsageError> {
  return new UsageError((await loadContent()).explainUnknown(name));
}

/** Loads what reads announcements. The other commands do not need it, and start faster. */
function loadContent() {
  return import('../announcement.ts');
}
