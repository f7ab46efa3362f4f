import type { Command } from 'commander';
import { mergeRows, readBackup, readRows, writeBackup } from '../backup.ts';
import { describe, type Options } from '../command.ts';
import { formatCount } from '../formats.ts';
import { answer, note, save } from '../output.ts';
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
  const counts = { members: 0 };
  await transact(project, (sql) => save(writeBackup(readRows(sql), TOKEN_SECRET, counts), output, '.jsonl'));
  const said = `Backup written to ${output}: ${formatCount(counts.members, 'member')}.`;
  answer(json, { file: output, ...counts }, said);
}

async function restore({ project }: Waitlist, file: string, { json }: Options): Promise<void> {
  const { TOKEN_SECRET } = requireValues(project, 'TOKEN_SECRET');
  // Reads the whole file before it touches the database.
  for await (const _ of readBackup(file, TOKEN_SECRET));
  if (process.stderr.isTTY) note(`Restoring ${file}. This may take a few minutes…`);
  const added = await transact(project, (sql) => mergeRows(sql, readBackup(file, TOKEN_SECRET)));
  const said = `Restored ${file}: ${formatCount(added, 'member')} added. Those on the list stayed as they were.`;
  answer(json, { file, added }, said);
}
