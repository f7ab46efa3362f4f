import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from './process.ts';
import type { Settings } from './settings.ts';

/** The record of a running stack in its data folder, for the owner's command line and for the next start after a crash. */
interface RunRecord {
  main: ProcessIdentity;
  parts: Record<string, ProcessIdentity>;
  settings: Settings;
}

/** Reads the record of the data folder's stack, running or crashed; `undefined` when there is none. */
export function readRunFile(dataDir: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

/** Writes the record in one step. Only its owner can read it, because it contains the secret key. */
export function writeRunFile(record: RunRecord): void {
  const file = fileOf(record.settings.dataDir);
  writeFileSync(`${file}.draft`, JSON.stringify(record, null, 2), { mode: 0o600 });
  renameSync(`${file}.draft`, file);
}

export function removeRunFile(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'running.json');
}
