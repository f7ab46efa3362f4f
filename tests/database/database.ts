import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';

const server = postgres(inject('newerDatabaseUrl'), { max: 1 });
const name = `test_${randomUUID()}`;
await server`create database ${server(name)} template postgres`;
await server.end();

/** A migrated database for one test file, so that files can run at the same time. */
export const databaseUrl = new URL(`/${name}`, inject('newerDatabaseUrl')).href;
