import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { formatCount, parseJson } from './formats.ts';
import { UsageError } from './usage-error.ts';

// A backup is JSON Lines, with a page of entries per line. The last line has the counts, so a cut-off file is recognized.

export const nothing = { members: 0, announcements: 0, never_mailed: 0 };
type BackupCounts = typeof nothing;

/** Formats what a backup contains: `1,204 members, 1 announcement, 3 addresses that must never be mailed`. */
export function formatCounts({ members, announcements, never_mailed }: BackupCounts): string {
  return [
    formatCount(members, 'member'),
    formatCount(announcements, 'announcement'),
    `${formatCount(never_mailed, 'address', 'addresses')} that must never be mailed`,
  ].join(', ');
}

/** Writes pages of entries as the lines of a backup. `counts` grows with them. */
export async function* writeBackup(
  pages: AsyncIterable<object[]>,
  counts: BackupCounts,
): AsyncGenerator<string> {
  for await (const page of pages) {
    count(page, counts);
    yield `${JSON.stringify(page)}\n`;
  }
  yield `${JSON.stringify(counts)}\n`;
}

/** Reads the pages of a backup. `counts` grows with them. Throws a UsageError at the end if the backup is not complete. */
export async function* readBackup(file: string, counts: BackupCounts): AsyncGenerator<object[]> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${file}.`);
  let last = '';
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    last = line;
    const page = parseJson(line);
    if (!Array.isArray(page)) continue;
    count(page, counts);
    yield page;
  }
  if (last !== JSON.stringify(counts))
    throw new UsageError(`${file} is not a complete backup. Give another file that "backup" wrote.`);
}

function count(page: object[], counts: BackupCounts): void {
  for (const entry of page) {
    if (Object.hasOwn(entry, 'member')) counts.members++;
    else if (Object.hasOwn(entry, 'announcement')) counts.announcements++;
    else counts.never_mailed++;
  }
}
