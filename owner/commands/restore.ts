import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { countBackup, formatCounts, readBackup } from '../backup-file.ts';
import { formatCount } from '../formats.ts';
import { printJson } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that puts a backup into an empty project. */
export function addRestore(program: Command, open: () => Waitlist): void {
  program
    .command('restore')
    .description('Put a backup into an empty project: all of it, or nothing.')
    .argument('<file>', 'a file that "backup" wrote')
    .option('--json', 'print JSON: file, members, announcements and never_mailed')
    .addHelpText(
      'after',
      `
The project must be deployed, with the same TOKEN_SECRET, from the same version of this code, and hold nobody yet. The
database compares what it would store with the backup before it keeps it. Then the messages that waited go out: never run
two projects with the same list.

If it is interrupted while it uploads, nothing is restored: run it again. After that the database goes on by itself.

Example:
  npm run waitlist -- restore --hosted waitlist-2026-11-22.jsonl`,
    )
    .action((file: string, { json }: { json?: true }) => restore(open(), file, json));
}

async function restore(waitlist: Waitlist, file: string, json = false): Promise<void> {
  const counts = await countBackup(file);
  const id = randomUUID();
  const complete = () => waitlist.restore(id, counts.members + counts.announcements + counts.never_mailed);
  // Asked before the upload as well, which may take minutes.
  let outcome = await complete();
  if (outcome === 'incomplete') {
    for await (const part of readBackup(file)) await waitlist.upload(id, part);
    outcome = await complete();
  }
  if (outcome === 'not empty') throw new Error(explainMembers(await waitlist.countMembers()));
  if (outcome === 'incomplete')
    throw new Error(
      'Nothing was restored: part of the upload is missing. Run it again, and nothing else beside it.',
    );
  while ((await waitlist.restorePart()) > 0);
  if (json) return printJson({ file, ...counts });
  console.log(`Restored and compared with ${file}: ${formatCounts(counts)}.`);
}

function explainMembers(members: number): string {
  return `Nothing was restored: this project already holds ${formatCount(members, 'member')}. Restore into an empty project.`;
}
