import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { formatCounts, nothing, readBackup, writeBackup } from '../backup-file.ts';
import { describe, type Options } from '../command.ts';
import { formatCount } from '../formats.ts';
import { printJson, save } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';
import { countMembers, type Member } from './members.ts';

/** Adds the commands that save everything that would be lost with the project, and restore it. */
export function addBackup(program: Command, open: () => Waitlist): void {
  describe(
    program.command('backup'),
    'Save the list, the outbox and the addresses that must never be mailed in one file, readable only by you. "restore" puts it back.',
    ['backup --hosted --output waitlist-2026-11-22.jsonl'],
    'The file contains every address: store it encrypted. Keep TOKEN_SECRET with it (docs/operations.md, “Back up and restore”).',
  )
    .requiredOption('--output <file>', 'a new file, such as waitlist-2026-11-22.jsonl')
    .action(async ({ output, json }: Options & { output: string }) => {
      const counts = { ...nothing };
      await save(writeBackup(readEntries(open()), counts), output, '.jsonl');
      if (json) printJson({ file: output, ...counts });
      else console.log(`Backup written to ${output}: ${formatCounts(counts)}.`);
    });
  describe(
    program.command('restore'),
    'Restore a backup into an empty project: all of it or nothing.',
    ['restore --hosted waitlist-2026-11-22.jsonl'],
    'Deploy the project with the same TOKEN_SECRET first. It sends the messages that were waiting, so never run two projects with the same list.',
  )
    .argument('<file>', 'a file that "backup" wrote')
    .action((file: string, { json }: Options) => restore(open(), file, json));
}

/** Reads everything that a backup contains, page by page: members with their messages, announcements, hashes. */
export async function* readEntries(waitlist: Waitlist): AsyncGenerator<object[]> {
  const members = waitlist.readPages<{ entry: { member: Member } }>(
    'back_up_members',
    {},
    ({ entry }) => ({ after_email: entry.member.email }),
    // A waiting welcome contains its whole message.
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

async function restore(waitlist: Waitlist, file: string, json?: true): Promise<void> {
  const counts = { ...nothing };
  // Reads the whole file before it uploads anything.
  for await (const _ of readBackup(file, counts));
  const id = randomUUID();
  const size = counts.members + counts.announcements + counts.never_mailed;
  const complete = () =>
    waitlist.call<'complete' | 'not empty' | 'incomplete'>('restore_backup', { restore: id, size });
  // Also checked before the upload, which takes long.
  let outcome = await complete();
  if (outcome === 'incomplete') {
    if (process.stderr.isTTY)
      console.error(`Restoring ${formatCounts(counts)}. This may take a few minutes…`);
    for await (const page of readBackup(file, { ...nothing }))
      await waitlist.call('upload_backup', { restore: id, entries: JSON.stringify(page) });
    outcome = await complete();
  }
  if (outcome === 'not empty') {
    const members = formatCount(await countMembers(waitlist), 'member');
    throw new Error(
      `Nothing was restored: this project already has ${members}. Restore into an empty project. After an interrupted restore, wait a minute and run "count": the database may still be finishing it.`,
    );
  }
  if (outcome === 'incomplete')
    throw new Error(
      'Nothing was restored: part of the upload is missing. Run it again, and run only one restore at a time.',
    );
  // From here on the database finishes without this command, too. It returns how many pages are left.
  while ((await waitlist.call<number>('restore_part')) > 0);
  if (json) printJson({ file, ...counts });
  else console.log(`Restored, and compared with ${file}: ${formatCounts(counts)}.`);
}
