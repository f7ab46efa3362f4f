import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { formatCounts, nothing, readBackup } from '../backup-file.ts';
import { describe, type Options } from '../command.ts';
import { formatCount } from '../formats.ts';
import { countMembers } from '../members.ts';
import { printJson } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

const notes = `The project must be deployed, with the same TOKEN_SECRET, from the same version of this code, and have no members yet.
The database compares what it would store with the backup before it keeps it. Then the messages that waited go out: never run
two projects with the same list.

If it is interrupted while it uploads, nothing is restored: run it again. After that the database continues by itself.`;

/** Adds the command that puts a backup into an empty project. */
export function addRestore(program: Command, open: () => Waitlist): void {
  describe(
    program.command('restore'),
    'Put a backup into an empty project: all of it, or nothing.',
    ['restore --hosted waitlist-2026-11-22.jsonl'],
    notes,
  )
    .argument('<file>', 'a file that "backup" wrote')
    .action((file: string, { json }: Options) => restore(open(), file, json));
}

async function restore(waitlist: Waitlist, file: string, json?: true): Promise<void> {
  const counts = { ...nothing };
  // Read to its end before anything is uploaded.
  for await (const _ of readBackup(file, counts));
  const id = randomUUID();
  const size = counts.members + counts.announcements + counts.never_mailed;
  const complete = () =>
    waitlist.call<'complete' | 'not empty' | 'incomplete'>('restore_backup', { restore: id, size });
  // Asked before the upload as well, which takes long.
  let outcome = await complete();
  if (outcome === 'incomplete') {
    if (process.stderr.isTTY) console.error(`Restoring ${formatCounts(counts)}. It may take minutes…`);
    for await (const page of readBackup(file, { ...nothing }))
      await waitlist.call('upload_backup', { restore: id, entries: JSON.stringify(page) });
    outcome = await complete();
  }
  if (outcome === 'not empty') {
    const members = formatCount(await countMembers(waitlist), 'member');
    throw new Error(
      `Nothing was restored: this project already has ${members}. Restore into an empty project.`,
    );
  }
  if (outcome === 'incomplete')
    throw new Error(
      'Nothing was restored: part of the upload is missing. Run it again, and only one restore at a time.',
    );
  // From here on the database finishes without this command, too. It returns how many pages are left.
  while ((await waitlist.call<number>('restore_part')) > 0);
  if (json) printJson({ file, ...counts });
  else console.log(`Restored, and compared with ${file}: ${formatCounts(counts)}.`);
}
