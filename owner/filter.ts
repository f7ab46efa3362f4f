import type { Command } from 'commander';
import { parseText } from './arguments.ts';
import { parseEnd, parseStart } from './moment.ts';
import { UsageError } from './usage-error.ts';
import type { Filter } from './waitlist-client.ts';

/** The options that say whom to look at, as the command line hands them over. */
export interface FilterOptions {
  since?: string;
  until?: string;
  match?: string;
}

/** Gives a command the options that say whom to look at. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--since <date>', 'who joined on that day or later, or from a time on', parseStart)
    .option('--until <date>', 'who joined on that day or earlier, or before a time', parseEnd)
    .option('--match <text>', 'whose address holds this text', parseText);
}

/** @throws UsageError when the time between the dates is empty. */
export function readFilter({ since, until, match }: FilterOptions): Filter {
  if (since && until && since >= until) throw new UsageError('--since is not before --until. Swap the two.');
  return { since, until, matching: match };
}
