import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readValues, removePassword, type Values } from '../shared/variables.ts';
import { UsageError } from './command.ts';

export const root = resolve(import.meta.dirname, '..');

const envFile = join(root, '.env');

/**
 * Reads the values of the deployment: from `.env`, or from the environment where there is no such file, as in a workflow. Throws a
 * UsageError when the owner of this machine has neither.
 */
export function readDeployment(): Values {
  const hasFile = existsSync(envFile);
  const stored = hasFile ? parseEnv(readEnvText()) : process.env;
  const values = readValues((name) => stored[name], 'owner');
  if (!hasFile && !process.env['CI'] && Object.keys(values).length === 0)
    throw new UsageError(
      'There is no file .env. Create it with: install -m 600 .env.example .env. Then fill it in: docs/deploy.md, “Set the values”.',
    );
  return values;
}

/** Returns the text of `.env`. A missing file counts as empty. */
export function readEnvText(): string {
  return existsSync(envFile) ? readFileSync(envFile, 'utf8') : '';
}

/** Prepares the dashboard's connection string for a program, without the password: other users can see arguments. */
export function readDatabaseUrl(connectionString: string): string {
  const url = new URL(removePassword(connectionString));
  // Without it, the client falls back to an unencrypted connection.
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'require');
  return url.href;
}
