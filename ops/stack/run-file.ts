import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './settings.ts';

/** What a running stack leaves in its data folder, for the owner's program and for the next start. */
interface RunRecord {
  settings: Settings;
  pids: Record<string, number>;
}

const fileOf = (dataDir: string) => join(dataDir, 'running.json');

/** Reads the record of the data folder's stack, which may have been killed; `undefined` when there is none. */
export function readRunFile(dataDir: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

/** Only its owner can read the file, because it contains the secret key. */
export function writeRunFile(record: RunRecord): void {
  writeFileSync(fileOf(record.settings.dataDir), JSON.stringify(record, null, 2), { mode: 0o600 });
}

export function removeRunFile(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}
