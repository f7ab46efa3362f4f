import type { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { describe, type Options } from '../command.ts';
import { formatTime, toJsonArray, toLines } from '../formats.ts';
import { addFilterOptions, type Filter, readMembers } from '../members.ts';
import { print } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that prints members. */
export function addList(program: Command, open: () => Waitlist): void {
  const command = describe(program.command('list'), 'Print the members, the oldest first.', [
    'list',
    'list --since 2026-11-01 --until 2026-11-30 --match @example.com',
    'list --limit 100 --json',
  ]);
  addFilterOptions(command)
    .option('--limit <number>', 'maximum number of members', parseCount)
    .action(async ({ limit, json, ...filter }: Filter & Options & { limit?: number }) => {
      const members = readMembers(open(), filter, { limit });
      if (json) return void (await print(toJsonArray(members)));
      const lines = toLines(members, ({ created_at, email }) => `${formatTime(created_at)}  ${email}`);
      // Printed separately, so that the number of lines is the number of members.
      if (!(await print(lines))) console.error('No members.');
    });
}
