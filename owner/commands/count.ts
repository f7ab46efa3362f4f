import type { Command } from 'commander';
import { describe, type Options } from '../command.ts';
import { addFilterOptions, countMembers, type Filter } from '../members.ts';
import { printJson } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that counts members. */
export function addCount(program: Command, open: () => Waitlist): void {
  const command = describe(program.command('count'), 'Print how many members there are.', [
    'count',
    'count --since 2026-11-01',
  ]);
  addFilterOptions(command).action(async ({ json, ...filter }: Filter & Options) => {
    const members = await countMembers(open(), filter);
    if (json) printJson({ members });
    else console.log(String(members));
  });
}
