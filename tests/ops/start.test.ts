import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { prepareDatabase } from '../../ops/stack/database.ts';

it('a start after a crash ignores the PID of the database, which may belong to another process by now', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-crash-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  prepareDatabase(dataDir, 1);
  const file = join(dataDir, 'database', 'postmaster.pid');
  writeFileSync(file, `${process.pid}\n`);
  prepareDatabase(dataDir, 1);
  expect(existsSync(file)).toBe(false);
});

it('a start keeps a folder that it did not make', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-taken-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  mkdirSync(join(dataDir, 'database', 'mine'), { recursive: true });
  expect(() => prepareDatabase(dataDir, 1)).toThrow(
    `The database could not be created in ${join(dataDir, 'database')}. `,
  );
  expect(readdirSync(join(dataDir, 'database'))).toEqual(['mine']);
});
