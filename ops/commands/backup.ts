import type { Command } from 'commander';
import { mergeLines, readBackup, readLines, writeBackup } from '../backup.ts';
import { describe, type Options } from '../command.ts';
import { useDatabase } from '../database.ts';
import { answer, formatCount, save } from '../output.ts';
import { readTokenSecrets } from '../project.ts';
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
      const secrets = readTokenSecrets(project);
      const lines = await useDatabase(project, readLines);
      // The last one makes the hashes that the backup contains.
      save(writeBackup(lines, secrets.at(-1)!), output, '.jsonl');
      const members = lines.filter((line) => line.includes('"public.waitlist_emails"')).length;
      const said = `Backup written to ${output}: ${formatCount(members, 'member')}.`;
      answer(json, { file: output, members }, said);
    });
  describe(
    program.command('restore'),
    'Add a backup to the list. Members who are on it stay as they are, and those who left since stay gone.',
    ['restore --hosted waitlist-2026-11-22.jsonl'],
    'Deploy the project with the same TOKEN_SECRET first, or with a list that ends with it. It sends the messages that were waiting, so never run two projects with the same list. It may take a few minutes. If it is interrupted, run it again.',
  )
    .argument('<file>', 'a file that "backup" wrote')
    .action(async (file: string, { json }: Options) => {
      const { project } = open();
      const lines = readBackup(file, readTokenSecrets(project));
      const added = await useDatabase(project, (sql) => mergeLines(sql, lines));
      const said = `Restored ${file}: ${formatCount(added, 'member')} added. Those on the list stayed as they were.`;
      answer(json, { file, added }, said);
    });
}
