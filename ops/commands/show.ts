import type { Command } from 'commander';
import { describe, type Options, parseEmail } from '../command.ts';
import { answer, formatCount, formatTime } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** What `find_member` returns. The first message is the welcome. */
export interface Story {
  email: string;
  is_never_mailed: boolean;
  /** What happened, oldest first: `joined`, `welcome sent`, `launch bounced`. */
  history: { at: string; what: string; problem: string | null }[];
  messages: Message[];
}

export interface Message extends Record<'name' | 'problem' | 'next_try_at', string | null> {
  state: 'waiting' | 'sent' | 'refused' | 'unknown';
  tries: number;
  is_stopped: boolean;
  ahead: number | null;
}

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
      const { history, messages, is_never_mailed } = story;
      const forgive = `This member is never mailed again: the address bounced permanently or complained. "forgive ${email}" changes that.`;
      answer(
        json,
        story,
        email,
        ...history.map(
          ({ at, what, problem }) => `${formatTime(at)}  ${what}${problem ? `: ${problem}` : ''}`,
        ),
        ...messages.flatMap((message) => tellState(message, story)),
        ...(is_never_mailed ? [forgive] : []),
      );
    });
}

function tellState(message: Message, { email, is_never_mailed }: Story): string[] {
  const { state, problem, tries, is_stopped, next_try_at, ahead } = message;
  const name = message.name ?? 'The welcome';
  const tried = tries > 0 ? ` after ${formatCount(tries, 'try', 'tries')}` : '';
  const failure = problem ? `${tried}: ${problem}` : '';
  const turn = next_try_at ? `until ${formatTime(next_try_at)}` : 'for its turn';
  if (state === 'waiting' && is_stopped)
    return [`${name} is stopped: "announce ${name} --resume" continues it.`];
  const queue = ahead ? `, behind ${formatCount(ahead, 'other')}` : '';
  if (state === 'waiting') return [`${name} is waiting ${turn}${queue}${failure}.`];
  if (state === 'refused')
    return [`${name} was refused${failure}.${is_never_mailed ? '' : ` "retry ${email}" queues it again.`}`];
  if (state === 'unknown')
    return [`${name} may have been sent${failure}. "retry ${email} --yes" sends it, perhaps a second time.`];
  return [];
}
