import type { Command } from 'commander';
import { parseEmail } from '../arguments.ts';
import { formatCount, formatTime } from '../formats.ts';
import { printJson } from '../output.ts';
import type { Story, Waitlist } from '../waitlist-client.ts';

/** Adds the command that tells everything about one member. */
export function addShow(program: Command, open: () => Waitlist): void {
  program
    .command('show')
    .description('Print everything about one member: when they joined, and what became of each message.')
    .argument('<address>', 'in any letter case', parseEmail)
    .option('--json', 'print JSON: the stored facts, or null for an address that is not on the list')
    .addHelpText(
      'after',
      `
An address that is not on the list ends with status 1.

Examples:
  npm run waitlist -- show name@example.com
  npm run --silent waitlist -- show name@example.com --json`,
    )
    .action((email: string, { json }: { json?: true }) => show(open(), email, json));
}

async function show(waitlist: Waitlist, email: string, json = false): Promise<void> {
  const story = await waitlist.findMember(email);
  if (!story) process.exitCode = 1;
  if (json) printJson(story ?? null);
  else if (!story) console.error(`${email} is not on the list.`);
  else for (const line of tell(story)) console.log(line);
}

function tell(story: Story): string[] {
  const { email, created_at, sent_at, announcements, events, is_never_mailed } = story;
  const messages = [{ name: null, sent_at }, ...announcements];
  return [
    email,
    `${formatTime(created_at)}  joined`,
    ...messages.flatMap(({ name, sent_at }) => [
      ...(sent_at ? [`${formatTime(sent_at)}  ${name ?? 'welcome'} sent`] : []),
      ...events
        .filter(({ announcement }) => announcement === name)
        .map(
          ({ kind, at, problem }) =>
            `${formatTime(at)}  ${name ?? 'welcome'} ${kind}${problem ? `: ${problem}` : ''}`,
        ),
    ]),
    ...tellState(story),
    ...announcements.flatMap((announcement) => tellAnnouncement(story, announcement)),
    ...(is_never_mailed ? ['Never mailed again: the address bounced permanently or complained.'] : []),
  ];
}

function tellState({ email, state, next_try_at, ahead, tries, problem, is_never_mailed }: Story): string[] {
  const failure = problem ? ` after ${formatCount(tries, 'try', 'tries')}: ${problem}` : '';
  if (state === 'waiting') {
    const turn = ahead ? `, behind ${formatCount(ahead, 'other')}` : '';
    return [`The welcome waits until ${formatTime(next_try_at ?? '')}${turn}${failure}.`];
  }
  if (state === 'refused')
    return [
      `The provider refused the welcome${failure}.${is_never_mailed ? '' : ` "retry ${email}" queues it again.`}`,
    ];
  if (state === 'unknown')
    return [
      `Nobody knows whether the welcome was sent${failure}. "retry ${email}" queues it, perhaps a second time.`,
    ];
  return [];
}

function tellAnnouncement(
  { email, is_never_mailed }: Story,
  { name, state, problem }: Story['announcements'][number],
): string[] {
  const failure = problem ? `: ${problem}` : '';
  if (state === 'waiting') return [`${name} waits for its turn${failure}.`];
  if (state === 'refused')
    return [`${name} was refused${failure}.${is_never_mailed ? '' : ` "retry ${email}" queues it again.`}`];
  if (state === 'unknown')
    return [
      `Nobody knows whether ${name} was sent${failure}. "retry ${email}" queues it, perhaps a second time.`,
    ];
  return [];
}
