import type { Command } from 'commander';
import { parseEnd, parseStart, parseText } from './arguments.ts';
import { UsageError } from './usage-error.ts';
import type { Waitlist } from './waitlist-client.ts';

export interface Member {
  email: string;
  /** ISO 8601 to the microsecond, in UTC, like every time that the database returns. */
  created_at: string;
  source: string;
}

/** Which members, as commander parses the options below. */
export interface Filter {
  since?: string;
  until?: string;
  match?: string;
}

/** Adds the options that select members to a command. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--since <date>', 'members who joined on or after this day, or from this time on', parseStart)
    .option('--until <date>', 'members who joined on or before this day, or before this time', parseEnd)
    .option('--match <text>', 'members with this text in the address', parseText);
}

/** Reads members page by page, the oldest first. With `mailable`, it skips those who are never mailed. Throws like `countMembers`. */
export function readMembers(
  waitlist: Waitlist,
  filter: Filter = {},
  { mailable = false, limit = Infinity } = {},
): AsyncGenerator<Member[]> {
  return waitlist.readPages<Member>(
    'list_members',
    { ...toParameters(filter), mailable },
    ({ created_at, email }) => ({ after_time: created_at, after_email: email }),
    { limit },
  );
}

/** Counts members. @throws UsageError when `since` is not before `until`. */
export function countMembers(waitlist: Waitlist, filter: Filter = {}): Promise<number> {
  return waitlist.call('count_members', toParameters(filter));
}

function toParameters({ since, until, match }: Filter): object {
  if (since && until && Date.parse(since) >= Date.parse(until))
    throw new UsageError('--since is not before --until. Swap the two.');
  return { since, until, matching: match };
}
