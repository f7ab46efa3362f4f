import type { Command } from 'commander';
import { addFilterOptions, type FilterOptions, readFilter } from '../filter.ts';
import { printJson } from '../output.ts';
import { openWaitlist } from '../project.ts';

interface Options extends FilterOptions {
  json?: boolean;
}

/** Adds the command that counts the members. */
export function addCount(program: Command): void {
  addFilterOptions(program.command('count').description('Print how many members there are.'))
    .option('--json', 'print JSON: {"members": …}')
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- count
  npm run waitlist -- count --since 2026-11-01
  npm run --silent waitlist -- count --match @example.com --json`,
    )
    .action(count);
}

async function count({ json, ...options }: Options): Promise<void> {
  const filter = readFilter(options);
  const waitlist = openWaitlist();
  const members = await waitlist.countMembers(filter);
  if (json) printJson({ members });
  else console.log(String(members));
}
