import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { readBackup, seal } from '../../ops/backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-'));
const file = join(folder, 'all.jsonl');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = Array.from(
  { length: 5 },
  (_, row) => `{"private.outbox": {"email": "é\u2028${row}@example.com"}}`,
);
const write = async (lines: string[], secret: string) =>
  [...(await Array.fromAsync(seal(Readable.from(lines), secret))), ''].join('\n');
const read = (text: string, secret = 'old') => {
  writeFileSync(file, text);
  return Array.fromAsync(readBackup(file, secret));
};

it('a backup is read as it was written', async () => {
  expect(await read(await write(rows, 'old'))).toEqual(rows);
  expect(await read(await write([], 'old'))).toEqual([]);
});

it.each<[what: string, change: (lines: string[]) => string[] | Promise<string[]>]>([
  ['is cut off', (lines) => lines.slice(0, 3)],
  ['lost a line', (lines) => lines.toSpliced(2, 1)],
  ['has a changed letter', (lines) => lines.with(2, lines[2]!.replace('example', 'exemple'))],
  ['has a line after the seal', (lines) => lines.with(-1, lines[0]!)],
  ['is an export', () => ['{"email":"a@example.com"}', '']],
  ['is empty', () => []],
  ['has the seal of another project', async () => (await write(rows, 'another')).split('\n')],
])('a backup that %s is refused', async (_, change) => {
  const lines = await change((await write(rows, 'old')).split('\n'));
  await expect(read(lines.join('\n'))).rejects.toThrow(
    /is not a whole, unchanged backup, or the last secret/,
  );
});
