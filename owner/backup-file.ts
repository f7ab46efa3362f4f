import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { formatCount } from './formats.ts';
import { UsageError } from './usage-error.ts';

// A backup is JSON Lines: this line, an entry a line, and the counts as the last line, which a cut-off file lacks.
const HEAD = '{"waitlist_backup":1}';
const PART = 1_000_000; // characters of entries in one part, unless one entry is longer

/** What a backup holds. */
interface BackupCounts {
  members: number;
  announcements: number;
  never_mailed: number;
}

export const nothing: BackupCounts = { members: 0, announcements: 0, never_mailed: 0 };

/** Formats what a backup contains: `1,204 members, 1 announcement, 3 addresses never to be mailed`. */
export function formatCounts({ members, announcements, never_mailed }: BackupCounts): string {
  return [
    formatCount(members, 'member'),
    formatCount(announcements, 'announcement'),
    `${formatCount(never_mailed, 'address', 'addresses')} never to be mailed`,
  ].join(', ');
}

/** Writes pages of entries as the lines of a backup. `counts` grows with them. */
export async function* writeBackup(
  pages: AsyncIterable<object[]>,
  counts: BackupCounts,
): AsyncGenerator<string> {
  yield `${HEAD}\n`;
  for await (const page of pages) {
    for (const entry of page) counts[kindOf(entry)]++;
    yield page.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  }
  yield `${JSON.stringify(counts)}\n`;
}

/**
 * Reads the entries of a backup in parts of about a megabyte. `counts` grows with them.
 *
 * @throws UsageError when the file is not a backup; at its end, when it is incomplete.
 */
export async function* readBackup(file: string, counts: BackupCounts): AsyncGenerator<object[]> {
  let part: object[] = [];
  let size = 0;
  let isWhole = false;
  for await (const line of readLines(file)) {
    isWhole = line === JSON.stringify(counts);
    if (isWhole) continue;
    const entry = parse(file, line);
    counts[kindOf(entry)]++;
    if (size + line.length > PART && part.length > 0) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(entry);
    size += line.length;
  }
  if (!isWhole) throw new UsageError(`${file} is not complete: its end is missing. Use another backup.`);
  if (part.length > 0) yield part;
}

/** Reads the lines after the first, which must be that of a backup. */
async function* readLines(file: string): AsyncGenerator<string> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${file} does not exist.`);
  if (!found.isFile()) throw new UsageError(`${file} is not a file. Give a file that "backup" wrote.`);
  let isFirst = true;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (!isFirst) yield line;
    else if (line !== HEAD) break;
    isFirst = false;
  }
  if (isFirst) throw new UsageError(`${file} is not a backup. Give a file that "backup" wrote.`);
}

function kindOf(entry: object): keyof BackupCounts {
  if ('member' in entry) return 'members';
  return 'announcement' in entry ? 'announcements' : 'never_mailed';
}

function parse(file: string, line: string): object {
  try {
    return Object(JSON.parse(line)) as object;
  } catch {
    throw new UsageError(`${file} is damaged: a line of it is not JSON. Use another backup.`);
  }
}
