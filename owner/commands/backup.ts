import type { Command } from 'commander';
import { parseText } from '../arguments.ts';
import { type BackupCounts, formatCounts, writeBackup } from '../backup-file.ts';
import { printJson, save } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that saves everything that a lost project would lose. */
export function addBackup(program: Command, open: () => Waitlist): void {
  program
    .command('backup')
    .description(
      'Save the list, the outbox and who must never be mailed in one file, readable only by you. "restore" puts it back.',
    )
    .requiredOption('--output <file>', 'a new file, such as waitlist-2026-11-22.jsonl', parseText)
    .option('--json', 'print JSON: file, members, announcements and never_mailed')
    .addHelpText(
      'after',
      `
The file contains every address: store it encrypted, and delete old ones. Keep TOKEN_SECRET with it. With another one,
addresses that must never be mailed are no longer recognized. Unsubscribe links that were sent keep working.

Example:
  npm run waitlist -- backup --hosted --output waitlist-2026-11-22.jsonl`,
    )
    .action((options: { output: string; json?: true }) => backUp(open(), options));
}

async function backUp(waitlist: Waitlist, { output, json }: { output: string; json?: true }): Promise<void> {
  // git ignores these files.
  if (!output.endsWith('.jsonl')) throw new UsageError(`${output} would hold JSON Lines. Name it .jsonl.`);
  const counts: BackupCounts = { members: 0, announcements: 0, never_mailed: 0 };
  await save(writeBackup(waitlist.readBackup(), counts), output);
  if (json) return printJson({ file: output, ...counts });
  console.log(`Backup written to ${output}: ${formatCounts(counts)}.`);
}
