import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrate, prepareDatabase } from '../../ops/stack/database.ts';
import { findFreePort, writeDatabaseUrl } from '../../ops/stack/settings.ts';
import { RunningParts } from '../../ops/stack/running-parts.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database like those of projects made since November 2026, which grant new tables and functions to nobody. */
    newerDatabaseUrl: string;
  }
}

/**
 * A PostgreSQL server for the tests, with one migrated database for each kind of default privileges. Every test file copies
 * the older kind, the database `postgres`.
 */
export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-database-'));
  const port = await findFreePort();
  const databaseUrl = writeDatabaseUrl(port);
  const newerDatabaseUrl = `postgres://postgres:postgres@127.0.0.1:${port}/newer`;
  const parts = new RunningParts(dataDir);
  const server = prepareDatabase(dataDir, port);
  // Nothing in it has to outlive a crash of the machine, and half of the time would be spent on waiting for the disk.
  await parts.start({ ...server, args: [...server.args, '-c', 'fsync=off'] });
  const sql = postgres(databaseUrl, { max: 1 });
  // Default privileges belong to a database, so a new one has none.
  await sql`create database newer`;
  await sql.end();
  await Promise.all([migrate(databaseUrl), migrate(newerDatabaseUrl)]);
  project.provide('newerDatabaseUrl', newerDatabaseUrl);
  return async () => {
    await parts.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
