import type { Command } from 'commander';
import { parseText } from '../arguments.ts';
import { formatCounts, nothing, writeBackup } from '../backup-file.ts';
import { describe, type Options } from '../command.ts';
import type { Member } from '../members.ts';
import { printJson, save } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

const notes = `The file contains every address: store it encrypted, and delete old ones. Keep TOKEN_SECRET with it. With another one,
addresses that must never be mailed are no longer recognized. Unsubscribe links that were sent keep working.`;

/** Adds the command that saves everything that would be lost with the project. */
export function addBackup(program: Command, open: () => Waitlist): void {
  describe(
    program.command('backup'),
    'Save the list, the outbox and the addresses that must never be mailed in one file, readable only by you. "restore" puts it back.',
    ['backup --hosted --output waitlist-2026-11-22.jsonl'],
    notes,
  )
    .requiredOption('--output <file>', 'a new file, such as waitlist-2026-11-22.jsonl', parseText)
    .action(async ({ output, json }: Options & { output: string }) => {
      const counts = { ...nothing };
      await save(writeBackup(readEntries(open()), counts), output, '.jsonl');
      if (json) printJson({ file: output, ...counts });
      else console.log(`Backup written to ${output}: ${formatCounts(counts)}.`);
    });
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
