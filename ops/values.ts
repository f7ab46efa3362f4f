import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { removePassword } from '../shared/formats.ts';
import { readValues } from '../shared/read-values.ts';
import type { Values } from '../shared/variables.ts';

export const root = resolve(import.meta.dirname, '..');

const envFile = join(root, '.env');

/** Reads the values of the deployment: from `.env`, or from the environment where there is no such file, as in a workflow. */
export function readDeployment(): Values {
  const stored = existsSync(envFile) ? parseEnv(readEnvText()) : process.env;
  return readValues((name) => stored[name], 'owner');
}

/** Returns the text of `.env`. A missing file counts as empty. */
export function readEnvText(): string {
  return existsSync(envFile) ? readFileSync(envFile, 'utf8') : '';
}

/** Prepares the dashboard's connection string without its password, because other users can see the arguments of a program. */
export function readDatabaseUrl(connectionString: string): string {
  const url = new URL(removePassword(connectionString));
  // Without it, the client falls back to an unencrypted connection.
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'require');
  return url.href;
}
