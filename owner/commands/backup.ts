import type { Command } from 'commander';
import { parseText } from '../arguments.ts';
import { formatCounts, nothing, writeBackup } from '../backup-file.ts';
import { printJson, save } from '../output.ts';
import type { Member } from '../members.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that saves everything that a lost project would lose. */
export function addBackup(program: Command, open: () => Waitlist): void {
  program
    .command('backup')
    .description(
      'Save the list, the outbox and who must never be mailed in one file, readable only by you. "restore" puts it back.',
    )
    .requiredOption('--output <file>', 'a new file, such as waitlist-2026-11-22.jsonl', parseText)
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
  const counts = { ...nothing };
  await save(writeBackup(readEntries(waitlist), counts), output, '.jsonl');
  if (json) return printJson({ file: output, ...counts });
  console.log(`Backup written to ${output}: ${formatCounts(counts)}.`);
}

/** Reads everything that a backup contains, page by page: members with their messages, announcements, then the hashes that must never be mailed. */
export async function* readEntries(waitlist: Waitlist): AsyncGenerator<object[]> {
  const members = waitlist.readPages<{ entry: { member: Member } }>(
    'back_up_members',
    {},
    ({ entry }) => ({ after_email: entry.member.email }),
    // A welcome that waits carries its whole message.
    { size: 250 },
  );
  for await (const page of members) yield page.map(({ entry }) => entry);
  yield* waitlist.readPages<{ announcement: { name: string } }>(
    'back_up_announcements',
    {},
    ({ announcement }) => ({ after_name: announcement.name }),
    { size: 10 },
  );
  const hashes = waitlist.readPages<{ email_hash: string }>('back_up_never_mailed', {}, ({ email_hash }) => ({
    after_hash: email_hash,
  }));
  for await (const page of hashes) yield page.map(({ email_hash }) => ({ never_mailed: email_hash }));
}
