import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readBackup, writeBackup } from '../../ops/backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-'));
const file = join(folder, 'all.jsonl');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = Array.from({ length: 5 }, (_, row) => `{"private.outbox": {"email": "é${row}@example.com"}}`);
const read = (text: string, ...secrets: string[]) => {
  writeFileSync(file, text);
  return readBackup(file, secrets);
};

it('a backup is read as it was written, with any of the secrets', () => {
  expect(read(writeBackup(rows, 'old'), 'new', 'old')).toEqual(rows);
  expect(read(writeBackup([], 'old'), 'old')).toEqual([]);
});

it.each<[what: string, change: (lines: string[]) => string[]]>([
  ['is cut off', (lines) => lines.slice(0, 3)],
  ['lost a line', (lines) => lines.toSpliced(2, 1)],
  ['has a changed letter', (lines) => lines.with(2, lines[2]!.replace('example', 'exemple'))],
  ['has a line after the seal', (lines) => lines.with(-1, lines[0]!)],
  ['is an export', () => ['{"email":"a@example.com"}', '']],
  ['is empty', () => []],
  ['has the seal of another project', () => writeBackup(rows, 'another').split('\n')],
])('a backup that %s is refused', (_, change) => {
  const lines = change(writeBackup(rows, 'old').split('\n'));
  expect(() => read(lines.join('\n'), 'new', 'old')).toThrow(
    /is not a whole, unchanged backup, or TOKEN_SECRET/,
  );
});
