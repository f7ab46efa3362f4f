import type { Command } from 'commander';
import { mergeRows, readBackup, readRows, writeBackup } from '../backup.ts';
import { describe, type Options } from '../command.ts';
import { formatCount } from '../formats.ts';
import { note, printJson, save, say } from '../output.ts';
import { requireValues } from '../project.ts';
import { transact } from '../transaction.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the commands that save everything that would be lost with the project, and restore it. */
export function addBackup(program: Command, open: () => Waitlist): void {
  describe(
    program.command('backup'),
    'Save the list, the outbox and the mailboxes that must never be mailed in one file, readable only by you. "restore" puts it back.',
    ['backup --hosted --output waitlist-2026-11-22.jsonl'],
    'The file contains every address: store it encrypted. Keep TOKEN_SECRET with it (docs/operations.md, “Back up and restore”).',
  )
    .requiredOption('--output <file>', 'a new file, such as waitlist-2026-11-22.jsonl')
    .action((options: Options & { output: string }) => backUp(open(), options));
  describe(
    program.command('restore'),
    'Add a backup to the list: all of it or nothing. Members who are on the list already stay as they are.',
    ['restore --hosted waitlist-2026-11-22.jsonl'],
    'Deploy the project with the same TOKEN_SECRET first. It sends the messages that were waiting, so never run two projects with the same list.',
  )
    .argument('<file>', 'a file that "backup" wrote')
    .action((file: string, options: Options) => restore(open(), file, options));
}

async function backUp({ project }: Waitlist, { output, json }: Options & { output: string }): Promise<void> {
  const { TOKEN_SECRET } = requireValues(project, 'TOKEN_SECRET');
  let members = 0;
  const isMember = (row: string) => row.startsWith('{"public.waitlist_emails"');
  await transact(project, async (sql) => {
    const read = async function* () {
      for await (const rows of readRows(sql)) {
        members += rows.filter(isMember).length;
        yield rows;
      }
    };
    await save(writeBackup(read(), TOKEN_SECRET), output, '.jsonl');
  });
  if (json) printJson({ file: output, members });
  else say(`Backup written to ${output}: ${formatCount(members, 'member')}.`);
}

async function restore({ project }: Waitlist, file: string, { json }: Options): Promise<void> {
  const { TOKEN_SECRET } = requireValues(project, 'TOKEN_SECRET');
  // Reads the whole file before it touches the database.
  for await (const _ of readBackup(file, TOKEN_SECRET));
  if (process.stderr.isTTY) note(`Restoring ${file}. This may take a few minutes…`);
  const added = await transact(project, (sql) => mergeRows(sql, readBackup(file, TOKEN_SECRET)));
  if (json) printJson({ file, added });
  else say(`Restored ${file}: ${formatCount(added, 'member')} added. Those on the list stayed as they were.`);
}
