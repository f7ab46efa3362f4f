import type { Command } from 'commander';
import { addFilterOptions, type FilterOptions, readFilter } from '../filter.ts';
import { printJson } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that counts members. */
export function addCount(program: Command, open: () => Waitlist): void {
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
    .action(async ({ json, ...options }: FilterOptions & { json?: true }) => {
      const filter = readFilter(options);
      const members = await open().countMembers(filter);
      if (json) printJson({ members });
      else console.log(String(members));
    });
}
