import type { Command } from 'commander';
import { parseEmail } from '../arguments.ts';
import { formatCount, formatTime } from '../formats.ts';
import { printJson } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Message {
  /** The name of an announcement. The welcome has none. */
  name?: string;
  state: 'waiting' | 'sent' | 'refused' | 'unknown';
  sent_at: string | null;
  problem: string | null;
  next_try_at?: string | null;
  /** How many welcomes go out before this one. */
  ahead?: number | null;
  tries?: number;
}

/** Everything about one member, and about the welcome. */
interface Story extends Message {
  email: string;
  created_at: string;
  /** Whether the address bounced permanently or complained. */
  is_never_mailed: boolean;
  announcements: Message[];
  /** An event of the welcome has no announcement. */
  events: { announcement: string | null; kind: string; at: string; problem: string | null }[];
}

/** Adds the command that tells everything about one member. */
export function addShow(program: Command, open: () => Waitlist): void {
  program
    .command('show')
    .description('Print everything about one member: when they joined, and what became of each message.')
    .argument('<address>', 'in any letter case', parseEmail)
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
  const [story] = await waitlist.call<Story[]>('find_member', { email });
  if (!story) process.exitCode = 1;
  if (json) printJson(story ?? null);
  else if (!story) console.error(`${email} is not on the list.`);
  else for (const line of tell(story)) console.log(line);
}

function tell(story: Story): string[] {
  const { email, created_at, announcements, is_never_mailed } = story;
  const messages: Message[] = [story, ...announcements];
  return [
    email,
    `${formatTime(created_at)}  joined`,
    ...messages.flatMap((message) => tellPast(story, message)),
    ...messages.flatMap((message) => tellState(story, message)),
    ...(is_never_mailed ? ['Never mailed again: the address bounced permanently or complained.'] : []),
  ];
}

function tellPast({ events }: Story, { name, sent_at }: Message): string[] {
  const own = events.filter(({ announcement }) => announcement === (name ?? null));
  return [
    ...(sent_at ? [`${formatTime(sent_at)}  ${name ?? 'welcome'} sent`] : []),
    ...own.map(
      ({ kind, at, problem }) =>
        `${formatTime(at)}  ${name ?? 'welcome'} ${kind}${problem ? `: ${problem}` : ''}`,
    ),
  ];
}

function tellState({ email, is_never_mailed }: Story, message: Message): string[] {
  const { name = 'The welcome', state, problem, next_try_at, ahead, tries } = message;
  const tried = tries ? ` after ${formatCount(tries, 'try', 'tries')}` : '';
  const failure = problem ? `${tried}: ${problem}` : '';
  if (state === 'waiting') {
    const turn = next_try_at ? `until ${formatTime(next_try_at)}` : 'for its turn';
    return [`${name} waits ${turn}${ahead ? `, behind ${formatCount(ahead, 'other')}` : ''}${failure}.`];
  }
  if (state === 'refused')
    return [`${name} was refused${failure}.${is_never_mailed ? '' : ` "retry ${email}" queues it again.`}`];
  if (state === 'unknown')
    return [`${name} may have been sent${failure}. "retry ${email}" queues it, perhaps a second time.`];
  return [];
}
