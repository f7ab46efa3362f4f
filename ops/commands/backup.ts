import type { Command } from 'commander';
import { mergeRows, readBackup, readRows, transact, writeBackup } from '../backup.ts';
import { describe, type Options } from '../command.ts';
import { answer, formatCount, note, save } from '../output.ts';
import { requireValues } from '../project.ts';
import type { Waitlist } from '../waitlist-client.ts';

export function addBackup(program: Command, open: () => Waitlist): void {
  describe(
    program.command('backup'),
    'Save the list, the outbox and the mailboxes that must never be mailed in one file, readable only by you. "restore" puts it back.',
    ['backup --hosted --output waitlist-2026-11-22.jsonl'],
    'The file contains every address: store it encrypted. Keep TOKEN_SECRET with it (docs/operations.md, “Back up and restore”).',
  )
    .requiredOption('--output <file>', 'a new file, such as waitlist-2026-11-22.jsonl')
    .action(async ({ output, json }: Options & { output: string }) => {
      const { project } = open();
      const { TOKEN_SECRET } = requireValues(project, 'TOKEN_SECRET');
      const rows = await transact(project, readRows);
      save(writeBackup(rows, TOKEN_SECRET), output, '.jsonl');
      const members = rows.filter((row) => row.startsWith('{"public.waitlist_emails"')).length;
      const said = `Backup written to ${output}: ${formatCount(members, 'member')}.`;
      answer(json, { file: output, members }, said);
    });
  describe(
    program.command('restore'),
    'Add a backup to the list: all of it or nothing. Members who are on the list already stay as they are.',
    ['restore --hosted waitlist-2026-11-22.jsonl'],
    'Deploy the project with the same TOKEN_SECRET first. It sends the messages that were waiting, so never run two projects with the same list.',
  )
    .argument('<file>', 'a file that "backup" wrote')
    .action(async (file: string, { json }: Options) => {
      const { project } = open();
      const rows = readBackup(file, requireValues(project, 'TOKEN_SECRET').TOKEN_SECRET);
      if (process.stderr.isTTY) note(`Restoring ${file}. This may take a few minutes…`);
      const added = await transact(project, (sql) => mergeRows(sql, rows));
      const said = `Restored ${file}: ${formatCount(added, 'member')} added. Those on the list stayed as they were.`;
      answer(json, { file, added }, said);
    });
}
