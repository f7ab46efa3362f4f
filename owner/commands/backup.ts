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
    'Save the list, the outbox and the addresses that must never be mailed in one file, readable only by you. "restore" puts it back.',
    ['backup --hosted --output waitlist-2026-11-22.jsonl'],
    'The file contains every address: store it encrypted. Keep TOKEN_SECRET with it (docs/operations.md, “Back up and restore”).',
  )
    .requiredOption('--output <file>', 'a new file, such as waitlist-2026-11-22.jsonl')
    .action((options: Options & { output: string }) => backUp(open(), options));
  describe(
    program.command('restore'),
    'Add a backup to the list: all of it or nothing. Who is on the list already stays as they are.',
    ['restore --hosted waitlist-2026-11-22.jsonl'],
    'Deploy the project with the same TOKEN_SECRET first. It sends the messages that were waiting, so never run two projects with the same list.',
  )
    .argument('<file>', 'a file that "backup" wrote')
    .action((file: string, options: Options) => restore(open(), file, options));
}

async function backUp({ project }: Waitlist, { output, json }: Options & { output: string }): Promise<void> {
  const { TOKEN_SECRET } = requireValues(project, 'TOKEN_SECRET');
  const rows = new Map<string, number>();
  await transact(project, (sql) => save(writeBackup(readRows(sql), TOKEN_SECRET, rows), output, '.jsonl'));
  if (json) printJson({ file: output, ...nameCounts(rows) });
  else say(`Backup written to ${output}: ${formatCounts(rows)}.`);
}

async function restore({ project }: Waitlist, file: string, { json }: Options): Promise<void> {
  const { TOKEN_SECRET } = requireValues(project, 'TOKEN_SECRET');
  // Reads the whole file before it touches the database.
  for await (const _ of readBackup(file, TOKEN_SECRET));
  if (process.stderr.isTTY) note(`Restoring ${file}. This may take a few minutes…`);
  const added = await transact(project, (sql) => mergeRows(sql, readBackup(file, TOKEN_SECRET)));
  if (json) printJson({ file, ...nameCounts(added) });
  else say(`Added from ${file}: ${formatCounts(added)}. What was on the list stayed as it was.`);
}

function nameCounts(rows: Map<string, number>) {
  return {
    members: rows.get('public.waitlist_emails') ?? 0,
    announcements: rows.get('private.announcements') ?? 0,
    never_mailed: rows.get('private.never_mailed') ?? 0,
  };
}

function formatCounts(rows: Map<string, number>): string {
  const { members, announcements, never_mailed } = nameCounts(rows);
  return [
    formatCount(members, 'member'),
    formatCount(announcements, 'announcement'),
    `${formatCount(never_mailed, 'address', 'addresses')} that must never be mailed`,
  ].join(', ');
}
