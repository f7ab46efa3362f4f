import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readBackup, writeBackup } from '../../ops/backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-'));
const file = join(folder, 'all.jsonl');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines of a backup. */
function write(): string[] {
  const rows = Array.from({ length: 5 }, (_, row) => `{"private.outbox": {"email": "é${row}@example.com"}}`);
  return writeBackup(rows, 'secret').split('\n');
}

const read = (lines: string[], secret = 'secret') => {
  writeFileSync(file, lines.join('\n'));
  return readBackup(file, secret);
};

it('a backup is read as it was written, also an empty one', () => {
  const lines = write();
  expect(read(lines)).toEqual(lines.slice(0, -2));
  expect(read(writeBackup([], 'secret').split('\n'))).toEqual([]);
});

it.each<[what: string, change: (lines: string[]) => string[]]>([
  ['is cut off', (lines) => lines.slice(0, 3)],
  ['lost a line', (lines) => lines.toSpliced(2, 1)],
  ['has lines in another order', (lines) => lines.with(0, lines[1]!).with(1, lines[0]!)],
  ['has a changed letter', (lines) => lines.with(2, lines[2]!.replace('example', 'exemple'))],
  ['has a line after the seal', (lines) => lines.with(-1, lines[0]!)],
  ['is an export', () => ['{"email":"a@example.com"}', '']],
  ['is empty', () => []],
])('a backup that %s is refused', (_, change) => {
  expect(() => read(change(write()))).toThrow(/^\S+ is not a whole, unchanged backup/);
});

it('a backup of another TOKEN_SECRET is refused', () => {
  expect(() => read(write(), 'another secret')).toThrow('TOKEN_SECRET');
});
