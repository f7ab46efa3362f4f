import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readBackup, writeBackup } from '../../owner/backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-'));
const file = join(folder, 'all.jsonl');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a backup that is longer than what is read at once, and resolves to its lines. */
async function write(): Promise<string[]> {
  async function* pages() {
    for (let page = 0; page < 30; page++)
      yield Array.from(
        { length: 100 },
        (_, row) => `{"private.outbox": {"email": "é${page}-${row}@example.com"}}`,
      );
  }
  const text = (await Array.fromAsync(writeBackup(pages(), 'secret'))).join('');
  return text.split('\n');
}

const read = async (lines: string[], secret = 'secret') => {
  writeFileSync(file, lines.join('\n'));
  return (await Array.fromAsync(readBackup(file, secret))).flat();
};

it('a backup is read as it was written', async () => {
  const lines = await write();
  expect(await read(lines)).toEqual(lines.slice(0, -2));
});

it.each<[what: string, change: (lines: string[]) => string[]]>([
  ['is cut off', (lines) => lines.slice(0, 500)],
  ['lost its last line', (lines) => lines.slice(0, -2)],
  ['lost a line', (lines) => lines.toSpliced(2, 1)],
  ['has a line twice', (lines) => lines.toSpliced(2, 0, lines[2]!)],
  ['has lines in another order', (lines) => lines.with(0, lines[1]!).with(1, lines[0]!)],
  ['has a changed letter', (lines) => lines.with(2, lines[2]!.replace('example', 'exemple'))],
  ['has a line after the seal', (lines) => lines.with(-1, lines[0]!)],
  ['is an export', () => ['{"email":"a@example.com"}', '']],
  ['is empty', () => []],
])('a backup that %s is refused', async (_, change) => {
  const lines = await write();
  await expect(read(change(lines))).rejects.toThrow(/^\S+ is not a whole, unchanged backup/);
});

it('a backup of another TOKEN_SECRET is refused', async () => {
  await expect(read(await write(), 'another secret')).rejects.toThrow('TOKEN_SECRET');
});
