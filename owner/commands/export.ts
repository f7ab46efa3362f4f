import type { Command } from 'commander';
import { parseText } from '../arguments.ts';
import { addFilterOptions, type FilterOptions, readFilter } from '../filter.ts';
import { toCsv, toJsonLines } from '../formats.ts';
import { print, save } from '../output.ts';
import { Progress } from '../progress.ts';
import { openWaitlist } from '../project.ts';
import { UsageError } from '../usage-error.ts';
import type { Member } from '../waitlist-client.ts';

interface Options extends FilterOptions {
  output?: string;
  replace?: boolean;
  json?: boolean;
}

/** Adds the command that hands the members to other programs. */
export function addExport(program: Command): void {
  addFilterOptions(
    program
      .command('export')
      .description(
        'Write the members who may be mailed as CSV that is safe to open in a spreadsheet, or as JSON Lines, the oldest first.',
      ),
  )
    .option('--output <file>', 'write to this file, whole or not at all, instead of printing', parseText)
    .option('--replace', 'replace the file when it is there already')
    .option('--json', 'JSON Lines instead of CSV: one object a line')
    .addHelpText(
      'after',
      `
Whose address bounced for good, or who complained, is left out: the privacy policy promises that they are never mailed
again. "list --returned" shows them.

In CSV an address that a spreadsheet would take for a formula, such as =name@example.com, is led by an apostrophe.
JSON Lines holds every address as it is.

Examples:
  npm run waitlist -- export --output members.csv
  npm run waitlist -- export --json --output members.jsonl --replace
  npm run --silent waitlist -- export --since 2026-11-01 | gzip > november.csv.gz`,
    )
    .action(exportMembers);
}

async function exportMembers({ output, replace = false, json, ...options }: Options): Promise<void> {
  if (output !== undefined) checkEnding(output, json);
  const progress = new Progress<Member>({ isOutputSeen: output === undefined && process.stdout.isTTY });
  const waitlist = openWaitlist();
  const filter = readFilter(options);
  const members = progress.follow(waitlist.readMembers(filter, { neverMailed: false }));
  const texts = json ? toJsonLines(members) : toCsv(members, ['email', 'created_at', 'source']);
  if (output === undefined) return print(texts);
  await save(texts, output, { mayReplace: replace });
  console.error(`Members written to ${output}: ${progress.rows.toLocaleString('en')}`);
  let leftOut = 0;
  for await (const page of waitlist.readMembers(filter, { neverMailed: true })) leftOut += page.length;
  if (leftOut > 0)
    console.error(`Skipped, because they bounced permanently or complained: ${leftOut.toLocaleString('en')}`);
}

/** @throws UsageError when the name of the file says something else than it is to hold. */
function checkEnding(file: string, json = false): void {
  const ending = /\.(csv|jsonl?)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === undefined || ending === (json ? 'jsonl' : 'csv')) return;
  throw new UsageError(
    json
      ? `${file} would hold JSON Lines. Name it .jsonl.`
      : `${file} would hold CSV. Name it .csv, or add --json for .jsonl.`,
  );
}
