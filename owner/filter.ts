import type { Command } from 'commander';
import { parseText } from './arguments.ts';
import { parseEnd, parseStart } from './moment.ts';
import { UsageError } from './usage-error.ts';
import type { Filter } from './waitlist-client.ts';

/** The options that select members, as commander parses them. */
export interface FilterOptions {
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

/** @throws UsageError when `since` is not before `until`. */
export function readFilter({ since, until, match }: FilterOptions): Filter {
  if (since && until && since >= until) throw new UsageError('--since is not before --until. Swap the two.');
  return { since, until, matching: match };
}
