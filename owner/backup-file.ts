import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { formatCount } from './formats.ts';
import { UsageError } from './usage-error.ts';

// A backup is JSON Lines: this line, a page of entries a line, and the counts as the last line, which a cut-off file lacks.
const HEAD = '{"waitlist_backup":1}';

/** What a backup contains. */
interface BackupCounts {
  members: number;
  announcements: number;
  never_mailed: number;
}

export const nothing: BackupCounts = { members: 0, announcements: 0, never_mailed: 0 };

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
  yield `${HEAD}\n`;
  for await (const page of pages) {
    count(page, counts);
    yield `${JSON.stringify(page)}\n`;
  }
  yield `${JSON.stringify(counts)}\n`;
}

/**
 * Reads the pages of a backup. `counts` grows with them.
 *
 * @throws UsageError when the file is not a backup; at its end, when it is incomplete.
 */
export async function* readBackup(file: string, counts: BackupCounts): AsyncGenerator<object[]> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${file}.`);
  let last: string | undefined;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (last === undefined && line !== HEAD) break;
    last = line;
    const page = parse(file, line);
    // Everything but the first line and the last one.
    if (!Array.isArray(page)) continue;
    count(page as object[], counts);
    yield page as object[];
  }
  if (last === undefined) throw new UsageError(`${file} is not a backup. Give a file that "backup" wrote.`);
  if (last !== JSON.stringify(counts))
    throw new UsageError(`${file} is not complete: part of it is missing. Use another backup.`);
}

function count(page: object[], counts: BackupCounts): void {
  for (const entry of page) {
    if ('member' in entry) counts.members++;
    else if ('announcement' in entry) counts.announcements++;
    else counts.never_mailed++;
  }
}

function parse(file: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UsageError(`${file} is damaged: a line of it is not JSON. Use another backup.`);
  }
}
