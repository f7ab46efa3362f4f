import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { confirm, describe, type Options, parseEmail, parseUpTo, UsageError } from '../command.ts';
import { answer, formatCount, formatFigure, note, say } from '../output.ts';
import { advise, type Announcement, formatAnnouncement, type Summary } from '../report.ts';
import type { Waitlist } from '../waitlist-client.ts';

const POLL = 10_000; // milliseconds

type Preview = Record<
  'recipients' | 'queued_before' | 'never_mailed' | 'welcome_waits' | 'not_delivered',
  number
>;

const notes = `Run it as often as you like: nobody gets an announcement twice, and a later run adds the members who joined since.
With --first 1000, the first 1,000 members get it, and a second run only replaces those who left; the next wave is --first 2000.
Members are skipped while their welcome waits, if Resend refused it, and if they bounced permanently, complained or were barred.
Welcomes are sent first. Once an announcement is queued, its words cannot change. docs/launch.md is the checklist for launch day.`;

export function addAnnounce(program: Command, open: () => Waitlist): void {
  describe(
    program.command('announce'),
    'Send an announcement to every member, once. Shows what it would do and asks first.',
    ['announce launch', 'announce launch --to me@example.com', 'announce launch --watch'],
    notes,
  )
    .argument('<name>', 'the name of a file in content/announcements/, without .mdx')
    .option('--to <address>', 'send one test message at once, and change nothing', parseEmail)
    .option(
      '--first <number>',
      'send it in the order of joining, until this many members have it',
      parseUpTo(2 ** 31 - 1), // what the database can store
    )
    .option('--watch', 'show the progress until no message waits, or until it is stopped')
    .option('--stop', 'stop sending it until --resume')
    .option('--resume', 'continue after a stop')
    .option('--discard', 'after a stop, delete what was certainly not sent, and keep the record of the rest')
    .option('--yes', 'do not ask')
    .action((name: string, { to, first, watch, stop, resume, discard, yes, json }: Mode) => {
      const modes = [to, first, watch, stop, resume, discard];
      if (modes.filter((mode) => mode !== undefined).length > 1)
        throw new UsageError('Use one of --to, --first, --watch, --stop, --resume and --discard.');
      if (yes && (to || watch)) throw new UsageError('--to and --watch ask nothing: leave out --yes.');
      const waitlist = open();
      if (discard) return discardRest(waitlist, name, yes, json);
      if (watch) return showProgress(waitlist, name, json);
      if (stop || resume) return setStopped(waitlist, name, { stop, yes, json });
      return to ? sendTest(waitlist, name, to, json) : queue(waitlist, name, { first, yes, json });
    });
}

type Mode = Options & { to?: string; first?: number } & Partial<
    Record<'watch' | 'stop' | 'resume' | 'discard', true>
  >;

async function queue(waitlist: Waitlist, name: string, { first, yes, json }: Mode): Promise<void> {
  // Loaded only when needed, so that the other commands start faster.
  const { readAnnouncement } = await import('../announcement.ts');
  const { template, warnings } = await readAnnouncement(name, waitlist.project);
  const { subject } = template;
  const none = { recipient: 0, queued_before: 0, never_mailed: 0, welcome_waits: 0, not_delivered: 0 };
  const standings = await waitlist.call<Partial<typeof none>>('preview_announcement', { name });
  const { recipient, ...others } = { ...none, ...standings };
  const recipients = Math.min(recipient, Math.max(0, (first ?? Infinity) - others.queued_before));
  const preview = { recipients, ...others };
  const summary = await waitlist.call<Summary>('summarize_waitlist');
  // The advice is about what comes next: a stopped announcement would hold the new messages, too.
  const known = summary.announcements.find((one) => one.name === name);
  const message = JSON.stringify(template);
  // The database stores a template under this hash.
  if (known && known.template !== createHash('md5').update(message).digest('hex')) throw explainChange(name);
  if (known) known.waiting += recipients;
  // With --json, the figures come at the end.
  const show = json ? note : say;
  show(`${name}: ${subject}`, ...warnings, ...describePreview(name, preview, summary), ...advise(summary));
  let queued: number | null = 0;
  if (recipients > 0) {
    await confirm(`Send ${name} to ${formatCount(recipients, 'member')}?`, yes);
    queued = await waitlist.call<number | null>('queue_announcement', { name, message, first });
    if (queued === null) throw explainChange(name);
  }
  const watch = known || queued > 0 ? ` "announce ${name} --watch" shows the progress.` : '';
  const said = `Queued: ${formatCount(queued, 'message')}.${watch}`;
  answer(json, { name, subject, warnings, ...preview, queued }, said);
}

function describePreview(name: string, preview: Preview, summary: Summary): string[] {
  const { recipients, queued_before, never_mailed, welcome_waits, not_delivered } = preview;
  const { announcements, per_second, brake } = summary;
  // Messages that wait already go first, except welcomes that the brake slows down.
  const others = announcements.filter((one) => one.name !== name && !one.is_stopped);
  const before = others.reduce((sum, { waiting }) => sum + waiting, brake ? 0 : summary.waiting);
  // A lease takes about 50 ms, and a run 55 s of each minute.
  const seconds = (recipients + before) * (1 / per_second + 0.05) * (60 / 55);
  const time =
    seconds < 7200 ? formatCount(Math.ceil(seconds / 60), 'minute') : `${Math.ceil(seconds / 3600)} hours`;
  const pace = `about ${time} (at most ${per_second} a second), including what waits`;
  const quota = `Resend's free plan sends 100 messages a day, which takes ${formatCount(Math.ceil(recipients / 100), 'day')}.`;
  return [
    formatFigure('recipients', recipients, recipients > 0 ? pace : null),
    formatFigure('queued before', queued_before, 'already sent, waiting or refused'),
    formatFigure('skipped', welcome_waits, 'their welcome waits: a later run or wave adds them'),
    formatFigure('skipped', not_delivered, 'their welcome was refused'),
    formatFigure('skipped', never_mailed, 'bounced permanently, complained or were barred'),
    ...(recipients > 100 ? [quota] : []),
  ];
}

/** Sends a test message directly, so that no answer of the provider can hold up the outbox. */
async function sendTest(waitlist: Waitlist, name: string, email: string, json?: true): Promise<void> {
  const { readAnnouncement, sendOnce } = await import('../announcement.ts');
  const { template, warnings } = await readAnnouncement(name, waitlist.project, { isTest: true });
  if (warnings.length > 0) note(...warnings);
  const hashes = Object.values(await waitlist.hash(email));
  if (await waitlist.call<boolean>('is_barred', { hashes }))
    throw new Error(
      `Not sent: ${email} bounced permanently, complained or was barred. "forgive ${email}" changes that.`,
    );
  const member = await waitlist.call<{ id: string } | null>('find_member', { email });
  const outcome = await sendOnce(template, email, member?.id ?? randomUUID(), waitlist.project);
  if (outcome.kind !== 'sent')
    throw new Error(`Resend did not confirm the message to ${email}: ${outcome.problem}.`);
  answer(json, { name, email, state: 'sent' }, `Sent to ${email}: one test message. Nobody else got it.`);
}

async function showProgress(waitlist: Waitlist, name: string, json?: true): Promise<void> {
  for (let before = ''; ; await wait(POLL)) {
    const summary = await waitlist.call<Summary>('summarize_waitlist');
    const progress = findAnnouncement(summary, name);
    const advice = advise(summary);
    const text = json
      ? JSON.stringify({ ...progress, advice })
      : [formatAnnouncement(progress), ...advice].join('\n');
    if (text !== before) say(text);
    before = text;
    if (progress.waiting > 0 && progress.stopped_because)
      throw new Error(`${name} is stopped. docs/launch.md, “While it runs”, says what to do.`);
    if (progress.waiting === 0 || progress.is_stopped) return;
  }
}

async function setStopped(waitlist: Waitlist, name: string, { stop, yes, json }: Mode): Promise<void> {
  // A stop cannot wait for the summary of a long list.
  if (!stop) {
    const { waiting } = findAnnouncement(await waitlist.call<Summary>('summarize_waitlist'), name);
    if (waiting > 0) await confirm(`Send ${name} to ${formatCount(waiting, 'more member')}?`, yes);
  }
  const is_stopped = stop === true;
  if (!(await waitlist.call<boolean>('stop_announcement', { name, is_stopped }))) throw explainUnqueued(name);
  const said = stop
    ? `Stopped. "announce ${name} --resume" sends what is left, if anything is.`
    : `Resumed. "announce ${name} --watch" shows the progress.`;
  answer(json, { name, is_stopped }, said);
}

async function discardRest(waitlist: Waitlist, name: string, yes?: true, json?: true): Promise<void> {
  const progress = findAnnouncement(await waitlist.call<Summary>('summarize_waitlist'), name);
  if (!progress.is_stopped)
    throw new UsageError(`${name} is not stopped. "announce ${name} --stop" stops it.`);
  await confirm(`Discard ${formatCount(progress.waiting, 'message')} of ${name}?`, yes);
  const discarded = await waitlist.call<number>('discard_announcement', { name });
  answer(json, { name, discarded }, `Discarded: ${formatCount(discarded, 'message')}.`);
}

function findAnnouncement({ announcements }: Summary, name: string): Announcement {
  const known = announcements.find((one) => one.name === name);
  if (!known) throw explainUnqueued(name);
  return known;
}

function explainChange(name: string): Error {
  return new Error(
    `${name} is already queued, and its message has changed since then: its words, a fact, a link or the look of emails. Everybody gets the same message. Undo the change, or write another announcement.`,
  );
}

function explainUnqueued(name: string): UsageError {
  return new UsageError(`${name} has not been queued. "announce ${name}" queues it.`);
}
