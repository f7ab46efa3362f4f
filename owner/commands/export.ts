import type { Command } from 'commander';
import { parseText } from '../arguments.ts';
import { addFilterOptions, type FilterOptions, readFilter } from '../filter.ts';
import { formatCount, toCsv, toJsonLines } from '../formats.ts';
import { print, save } from '../output.ts';
import { Progress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import type { Member, Waitlist } from '../waitlist-client.ts';

interface Options extends FilterOptions {
  output?: string;
  replace?: boolean;
  json?: boolean;
}

/** Adds the command that hands the members to other programs. */
export function addExport(program: Command, open: () => Waitlist): void {
  addFilterOptions(
    program
      .command('export')
      .description(
        'Write the members who may be mailed, the oldest first: as CSV that is safe to open in a spreadsheet, or as JSON Lines.',
      ),
  )
    .option('--output <file>', 'write to this file, readable only by you, instead of printing', parseText)
    .option('--replace', 'replace the file if it exists')
    .option('--json', 'write JSON Lines instead of CSV: one object a line')
    .addHelpText(
      'after',
      `
Addresses that bounced permanently or complained are skipped: the privacy policy promises that they are never mailed
again. To save everything, use "backup".

In CSV, an address that a spreadsheet would run as a formula, such as =name@example.com, starts with an apostrophe.
JSON Lines contains every address unchanged.

Examples:
  npm run waitlist -- export --output members.csv
  npm run waitlist -- export --json --output members.jsonl --replace
  npm run --silent waitlist -- export --since 2026-11-01 | gzip > november.csv.gz`,
    )
    .action((options: Options) => exportMembers(open, options));
}

async function exportMembers(
  open: () => Waitlist,
  { output, replace = false, json = false, ...options }: Options,
): Promise<void> {
  if (output !== undefined) checkEnding(output, json);
  const filter = readFilter(options);
  const waitlist = open();
  const progress = new Progress<Member>({ isOutputSeen: output === undefined && process.stdout.isTTY });
  const members = progress.follow(waitlist.readMembers(filter, { mailable: true }));
  const texts = json ? toJsonLines(members) : toCsv(members, ['email', 'created_at', 'source']);
  if (output === undefined) return print(texts);
  await save(texts, output, { mayReplace: replace });
  console.error(`Written to ${output}: ${formatCount(progress.rows, 'member')}.`);
  const skipped = (await waitlist.countMembers(filter)) - progress.rows;
  if (skipped > 0)
    console.error(`Skipped: ${formatCount(skipped, 'member')} who bounced permanently or complained.`);
}

/** @throws UsageError when the name of the file promises another format. */
function checkEnding(file: string, json: boolean): void {
  const ending = /\.(csv|jsonl?)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === undefined || ending === (json ? 'jsonl' : 'csv')) return;
  throw new UsageError(
    json
      ? `${file} would hold JSON Lines. Name it .jsonl.`
      : `${file} would hold CSV. Name it .csv, or add --json for .jsonl.`,
  );
}
