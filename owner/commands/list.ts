import { type Command, Option } from 'commander';
import { addFilterOptions, type FilterOptions, readFilter } from '../filter.ts';
import { formatTime, toJsonArray, toLines } from '../formats.ts';
import { parseCount, parsePlace } from '../arguments.ts';
import { print } from '../output.ts';
import { Progress } from '../progress.ts';
import { openWaitlist } from '../project.ts';
import type { Member, Place } from '../waitlist-client.ts';

interface Options extends FilterOptions {
  order: 'oldest' | 'newest';
  limit?: number;
  after?: Place;
  returned?: true;
  json?: boolean;
}

/** Adds the command that prints the members. */
export function addList(program: Command): void {
  addFilterOptions(program.command('list').description('Print the members.'))
    .addOption(
      new Option('--order <order>', 'who comes first').choices(['oldest', 'newest']).default('oldest'),
    )
    .option('--limit <number>', 'so many at most', parseCount)
    .option(
      '--after <cursor>',
      'go on behind this member: created_at and email, with a comma between',
      parsePlace,
    )
    .option('--returned', 'only who is never mailed again: bounced for good, or complained')
    .option('--json', 'print a JSON array: email, created_at and source of each member')
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- list
  npm run waitlist -- list --order newest --limit 20
  npm run waitlist -- list --since 2026-11-01 --until 2026-11-30 --match @example.com
  npm run waitlist -- list --returned
  npm run --silent waitlist -- list --limit 100 --after 2026-11-21T18:30:00.123456Z,name@example.com --json`,
    )
    .action(list);
}

async function list({ order, limit, after, returned, json, ...options }: Options): Promise<void> {
  const filter = readFilter(options);
  const progress = new Progress<Member>({ isOutputSeen: process.stdout.isTTY });
  const pages = openWaitlist().readMembers(filter, {
    newestFirst: order === 'newest',
    after,
    limit,
    neverMailed: returned,
  });
  const members = progress.follow(pages);
  await print(json ? toJsonArray(members) : toLines(members, formatMember));
  if (json) return;
  const hasChoice = [after, returned, ...Object.values(filter)].some((value) => value !== undefined);
  // Not among the members: whoever counts lines counts members.
  const { rows, last } = progress;
  if (!last) console.error(hasChoice ? 'Nobody on the list fits.' : 'Nobody is on the list yet.');
  else if (rows === limit) console.error(`There may be more: --after ${last.created_at},${last.email}`);
}

function formatMember({ created_at, email }: Member): string {
  return `${formatTime(created_at)}  ${email}`;
}
