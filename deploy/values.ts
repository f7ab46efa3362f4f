import { join, resolve } from 'node:path';
import { listVariables, readVariable, removePassword, type Values } from '../ground/variables.ts';
import { readEnvFile } from './env-file.ts';

const names = listVariables('owner');

export const root = resolve(import.meta.dirname, '..');

/** The file that set-up writes. */
export const envFile = join(root, '.env');

/**
 * Reads the values of a deployment from the environment, or else from `.env`. An empty value counts as missing, because
 * a workflow passes an empty value for a secret that is not set.
 */
export function readValues(environment: NodeJS.ProcessEnv, stored = readEnvFile(envFile)): Values {
  const values: Values = {};
  for (const name of names) {
    const value = (environment[name] || stored[name] || '').trim();
    if (value) values[name] = value;
  }
  return values;
}

/** Prepares the dashboard's connection string for a program, without the password: other users can see arguments. */
export function readDatabaseUrl(connectionString: string): string {
  const url = new URL(removePassword(connectionString));
  // Without it, the client falls back to an unencrypted connection.
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'require');
  return url.href;
}

/** Returns the environment without the deployment values, because each program gets only the values that it needs. */
export function readSurroundings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hidden = new Set<string>(names);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.has(name)));
}

/** Returns a function that hides the secret values in a text. */
export function makeRedaction(values: Values): (text: string) => string {
  const secrets = names
    .filter((name) => readVariable(name).isSecret)
    .flatMap((name) => values[name] ?? [])
    // The longest first, because one secret may be the beginning of another.
    .sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text);
}
