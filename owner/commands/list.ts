import type { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { addFilterOptions, type FilterOptions, readFilter } from '../filter.ts';
import { formatTime, toJsonArray, toLines } from '../formats.ts';
import { print } from '../output.ts';
import { Progress } from '../progress.ts';
import type { Member, Waitlist } from '../waitlist-client.ts';

interface Options extends FilterOptions {
  limit?: number;
  json?: true;
}

/** Adds the command that prints members. */
export function addList(program: Command, open: () => Waitlist): void {
  addFilterOptions(program.command('list').description('Print the members, the oldest first.'))
    .option('--limit <number>', 'maximum number of members', parseCount)
    .option('--json', 'print a JSON array: email, created_at and source of each member')
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- list
  npm run waitlist -- list --since 2026-11-01 --until 2026-11-30 --match @example.com
  npm run --silent waitlist -- list --limit 100 --json`,
    )
    .action((options: Options) => list(open, options));
}

async function list(open: () => Waitlist, { limit, json, ...options }: Options): Promise<void> {
  const filter = readFilter(options);
  const progress = new Progress<Member>({ isOutputSeen: process.stdout.isTTY });
  const members = progress.follow(open().readMembers(filter, { limit }));
  await print(json ? toJsonArray(members) : toLines(members, formatMember));
  if (json || progress.rows > 0) return;
  // Not among the members, so that counting lines counts members.
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  console.error(isFiltered ? 'No member matches.' : 'The list is empty.');
}

function formatMember({ created_at, email }: Member): string {
  return `${formatTime(created_at)}  ${email}`;
}
