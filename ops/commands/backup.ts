import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Sql } from 'postgres';
import { mergeLines, readBackup, readLines, seal } from '../backup.ts';
import { describe, type Options, UsageError } from '../command.ts';
import { readFingerprint, refuseOtherSecret, useDatabase } from '../database.ts';
import { answer, formatCount, save } from '../output.ts';
import { readTokenSecrets } from '../project.ts';
import type { Waitlist } from '../waitlist-client.ts';

export function addBackup(program: Command, open: () => Waitlist): void {
  describe(
    program.command('backup'),
    'Save the list, the outbox and the mailboxes that must never be mailed in one file, readable only by you. "restore" puts it back.',
    [
      'backup --hosted --output waitlist-2026-11-22.jsonl',
      'backup --hosted | age --recipient … > waitlist.age',
    ],
    'The file contains every address: store it encrypted. Keep TOKEN_SECRET with it (docs/operations.md, “Back up and restore”).',
  )
    .option('--output <file>', 'a new file, such as waitlist-2026-11-22.jsonl, instead of a pipe')
    .action(async ({ output, json }: Options & { output?: string }) => {
      if (!output && process.stdout.isTTY)
        throw new UsageError('Add --output and a new file, or pipe it into a program that encrypts it.');
      const { project } = open();
      const secrets = readTokenSecrets(project);
      let members = 0;
      async function* write(sql: Sql) {
        refuseOtherSecret(await readFingerprint(sql), project);
        // The last secret makes the hashes that the backup contains.
        for await (const line of seal(readLines(sql), secrets.at(-1)!)) {
          members += Number(line.includes('"public.waitlist_emails"'));
          yield `${line}\n`;
        }
      }
      await useDatabase(project, (sql) =>
        output ? save(write(sql), output, '.jsonl') : pipeline(write(sql), process.stdout, { end: false }),
      );
      if (!output) return;
      const said = `Backup written to ${output}: ${formatCount(members, 'member')}.`;
      answer(json, { file: output, members }, said);
    });
  describe(
    program.command('restore'),
    'Add a backup to the list. Members who are on it stay as they are. In the same project, those who were sent a message and left in the last 30 days stay gone.',
    ['restore --hosted waitlist-2026-11-22.jsonl'],
    'Deploy the project first, with the same TOKEN_SECRET as its only or last secret. Afterwards the project sends the welcomes that were waiting, so never run two projects with the same members. In a new project, announcements are stopped: "announce NAME --resume" sends again what was sent after the backup. A restore may take a few minutes. If it is interrupted, run it again.',
  )
    .argument('<file>', 'a file that "backup" wrote')
    .action(async (file: string, { json }: Options) => {
      const { project } = open();
      const added = await useDatabase(project, async (sql) => {
        refuseOtherSecret(await readFingerprint(sql), project);
        return mergeLines(sql, readBackup(file, readTokenSecrets(project).at(-1)!));
      });
      const said = `Restored ${file}: ${formatCount(added, 'member')} added. Addresses that were barred then are barred again.`;
      answer(json, { file, added }, said);
    });
}
