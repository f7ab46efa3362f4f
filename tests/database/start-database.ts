import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, prepareDatabase } from '../../local/database.ts';
import { findFreePort, prepareDataDir } from '../../local/settings.ts';
import { Supervisor } from '../../local/supervisor.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** A PostgreSQL of its own for the tests, brought up to date by the migrations. */
export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-database-'));
  const database = await findFreePort();
  const databaseUrl = `postgres://postgres:postgres@127.0.0.1:${database}/postgres`;
  const supervisor = new Supervisor({ onChange: () => {}, onLine: console.log });
  prepareDataDir(dataDir);
  await supervisor.start(prepareDatabase({ dataDir, ports: { site: 0, api: 0, inbox: 0, database } }));
  await migrate({ root: resolve(import.meta.dirname, '../..'), databaseUrl });
  project.provide('databaseUrl', databaseUrl);
  return async () => {
    await supervisor.stopAll();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
