import type { Command } from 'commander';
import { parseEmail } from '../arguments.ts';
import { describe, type Options } from '../command.ts';
import { formatCount, formatTime } from '../formats.ts';
import { answer } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Everything about one member. */
interface Story {
  email: string;
  /** Whether the address bounced permanently or complained. */
  is_never_mailed: boolean;
  /** What happened, oldest first: `joined`, `welcome sent`, `launch bounced`. */
  history: { at: string; what: string; problem: string | null }[];
  messages: Message[];
}

interface Message {
  /** The name of an announcement; the welcome has none. */
  name: string | null;
  state: 'waiting' | 'sent' | 'refused' | 'unknown';
  problem: string | null;
  tries: number;
  /** Set while it waits until a certain time. */
  next_try_at: string | null;
  /** How many welcomes go out before this one. */
  ahead: number | null;
}

/** Adds the command that prints everything about one member. */
export function addShow(program: Command, open: () => Waitlist): void {
  describe(
    program.command('show'),
    'Print everything about one member: when they joined, and what happened to each message.',
    ['show name@example.com', 'show name@example.com --json'],
  )
    .argument('<address>', 'the email address of a member', parseEmail)
    .action(async (email: string, { json }: Options) => {
      const [story] = await open().call<Story[]>('find_member', { email });
      if (!story) throw new Error(`${email} is not on the list.`);
      story.history.sort((one, other) => placeOf(one).localeCompare(placeOf(other)));
      answer(json, story, ...tell(story));
    });
}

/** Within a second, a member joins before a message is sent, and it is sent before it comes back: clocks differ a little. */
function placeOf({ at, what }: Story['history'][number]): string {
  const kind = what === 'joined' ? 0 : what.endsWith(' sent') ? 1 : 2;
  return `${formatTime(at)} ${kind} ${at}`;
}

function tell(story: Story): string[] {
  const { email, history, messages, is_never_mailed } = story;
  return [
    email,
    ...history.map(({ at, what, problem }) => `${formatTime(at)}  ${what}${problem ? `: ${problem}` : ''}`),
    ...messages.flatMap((message) => tellState(message, story)),
    ...(is_never_mailed
      ? [
          `This member is never mailed again: the address bounced permanently or complained. "forgive ${email}" changes that.`,
        ]
      : []),
  ];
}

function tellState(message: Message, { email, is_never_mailed }: Story): string[] {
  const { state, problem, tries, next_try_at, ahead } = message;
  const name = message.name ?? 'The welcome';
  const tried = tries > 0 ? ` after ${formatCount(tries, 'try', 'tries')}` : '';
  const failure = problem ? `${tried}: ${problem}` : '';
  const turn = next_try_at ? `until ${formatTime(next_try_at)}` : 'for its turn';
  const queue = ahead ? `, behind ${formatCount(ahead, 'other')}` : '';
  if (state === 'waiting') return [`${name} is waiting ${turn}${queue}${failure}.`];
  if (state === 'refused')
    return [`${name} was refused${failure}.${is_never_mailed ? '' : ` "retry ${email}" queues it again.`}`];
  if (state === 'unknown')
    return [`${name} may have been sent${failure}. "retry ${email}" queues it, perhaps a second time.`];
  return [];
}
