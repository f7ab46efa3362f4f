import { type Command, Option } from 'commander';
import { addFilterOptions, type FilterOptions, readFilter } from '../filter.ts';
import { printJson } from '../output.ts';
import { openWaitlist } from '../project.ts';

interface Options extends FilterOptions {
  by?: 'day';
  json?: boolean;
}

/** Adds the command that counts the members. */
export function addCount(program: Command): void {
  addFilterOptions(program.command('count').description('Print how many members there are.'))
    .addOption(
      new Option('--by <span>', 'count each day for itself, without days on which nobody joined').choices([
        'day',
      ]),
    )
    .option('--json', 'print JSON: {"members": …}, or an array of {"day": …, "members": …}')
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- count
  npm run waitlist -- count --by day --since 2026-11-01
  npm run --silent waitlist -- count --match @example.com --json`,
    )
    .action(count);
}

async function count({ by, json, ...options }: Options): Promise<void> {
  const filter = readFilter(options);
  const waitlist = openWaitlist();
  if (!by) {
    const members = await waitlist.countMembers(filter);
    if (json) printJson({ members });
    else console.log(String(members));
    return;
  }
  const days = await waitlist.countMembersByDay(filter);
  if (json) printJson(days);
  else for (const { day, members } of days) console.log(`${day}  ${members}`);
}
