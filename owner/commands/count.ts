import type { Command } from 'commander';
import { addFilterOptions, countMembers, type Filter } from '../members.ts';
import { printJson } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that counts members. */
export function addCount(program: Command, open: () => Waitlist): void {
  addFilterOptions(program.command('count').description('Print how many members there are.'))
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- count
  npm run waitlist -- count --since 2026-11-01`,
    )
    .action(async ({ json, ...filter }: Filter & { json?: true }) => {
      const members = await countMembers(open(), filter);
      if (json) printJson({ members });
      else console.log(String(members));
    });
}
