import type { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { formatTime, toJsonArray, toLines } from '../formats.ts';
import { addFilterOptions, type Filter, readMembers } from '../members.ts';
import { print } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Options extends Filter {
  limit?: number;
  json?: true;
}

/** Adds the command that prints members. */
export function addList(program: Command, open: () => Waitlist): void {
  addFilterOptions(program.command('list').description('Print the members, the oldest first.'))
    .option('--limit <number>', 'maximum number of members', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- list
  npm run waitlist -- list --since 2026-11-01 --until 2026-11-30 --match @example.com
  npm run --silent waitlist -- list --limit 100 --json`,
    )
    .action((options: Options) => list(open(), options));
}

async function list(waitlist: Waitlist, { limit, json, ...filter }: Options): Promise<void> {
  const members = readMembers(waitlist, filter, { limit });
  if (json) await print(toJsonArray(members));
  else if (!(await print(toLines(members, ({ created_at, email }) => `${formatTime(created_at)}  ${email}`))))
    // Not among the members, so that counting lines counts members.
    console.error('No members.');
}
