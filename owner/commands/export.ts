import type { Command } from 'commander';
import { parseText } from '../arguments.ts';
import { describe, type Options } from '../command.ts';
import { formatCount, toCsv, toLines } from '../formats.ts';
import { addFilterOptions, countMembers, type Filter, readMembers } from '../members.ts';
import { print, save } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

const notes = `Addresses that bounced permanently or complained are skipped: the privacy policy promises that they are never mailed
again. To save everything, use "backup".

The CSV is safe to open in a spreadsheet: an address that it would run as a formula, such as =name@example.com, starts
with an apostrophe. JSON Lines contains every address unchanged, one object a line.`;

/** Adds the command that hands the members to other programs. */
export function addExport(program: Command, open: () => Waitlist): void {
  const command = describe(
    program.command('export'),
    'Write the members who may be mailed, the oldest first, as CSV, or as JSON Lines with --json.',
    [
      'export --output members.csv',
      'export --json --output members.jsonl',
      'export --since 2026-11-01 | gzip > november.csv.gz',
    ],
    notes,
  );
  addFilterOptions(command)
    .option('--output <file>', 'write to this new file, readable only by you, instead of printing', parseText)
    .action((options: Filter & Options & { output?: string }) => exportMembers(open(), options));
}

async function exportMembers(
  waitlist: Waitlist,
  { output, json, ...filter }: Filter & Options & { output?: string },
): Promise<void> {
  let written = 0;
  const isShown = output !== undefined && process.stderr.isTTY;
  const read = async function* () {
    for await (const page of readMembers(waitlist, filter, { mailable: true })) {
      written += page.length;
      if (isShown) process.stderr.write(`\r${written.toLocaleString('en')} read`);
      yield page;
    }
  };
  const texts = json ? toLines(read(), JSON.stringify) : toCsv(read(), ['email', 'created_at', 'source']);
  if (output === undefined) return void (await print(texts));
  await save(texts, output, json ? '.jsonl' : '.csv');
  if (isShown) process.stderr.write('\r');
  console.error(`Written to ${output}: ${formatCount(written, 'member')}.`);
  const skipped = (await countMembers(waitlist, filter)) - written;
  if (skipped > 0)
    console.error(`Skipped: ${formatCount(skipped, 'member')} who bounced permanently or complained.`);
}
