import type { Command } from 'commander';
import { parseText } from '../arguments.ts';
import { formatCount, toCsv, toLines } from '../formats.ts';
import { addFilterOptions, countMembers, type Filter, readMembers } from '../members.ts';
import { print, save } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Options extends Filter {
  output?: string;
  json?: true;
}

/** Adds the command that hands the members to other programs. */
export function addExport(program: Command, open: () => Waitlist): void {
  addFilterOptions(
    program
      .command('export')
      .description(
        'Write the members who may be mailed, the oldest first, as CSV, or as JSON Lines with --json.',
      ),
  )
    .option('--output <file>', 'write to this new file, readable only by you, instead of printing', parseText)
    .addHelpText(
      'after',
      `
Addresses that bounced permanently or complained are skipped: the privacy policy promises that they are never mailed
again. To save everything, use "backup".

The CSV is safe to open in a spreadsheet: an address that it would run as a formula, such as =name@example.com, starts
with an apostrophe. JSON Lines contains every address unchanged, one object a line.

Examples:
  npm run waitlist -- export --output members.csv
  npm run waitlist -- export --json --output members.jsonl
  npm run --silent waitlist -- export --since 2026-11-01 | gzip > november.csv.gz`,
    )
    .action((options: Options) => exportMembers(open(), options));
}

async function exportMembers(waitlist: Waitlist, { output, json, ...filter }: Options): Promise<void> {
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
