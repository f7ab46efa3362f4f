import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import {
  type Fault,
  listVariables,
  readValues,
  readVariable,
  removePassword,
  type Values,
} from '../shared/variables.ts';

const names = listVariables('owner');

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

/**
 * Finds values that we or the other readers of the file (Vite, GitHub's program) do not read as somebody typed them, such as a
 * password that contains a # and has no quotes. In single quotes, all of them take a value literally.
 */
export function findMisread(text: string): Fault[] {
  const values = parseEnv(text);
  const lines = [...text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(.*?)[ \t\r]*$/gm)];
  // Of two lines for one value, the last one counts.
  const typed = Object.fromEntries(lines.map(([, name, value]) => [name, value]));
  const hint =
    'write nothing in its line of .env but the value between single quotes. A value with a single quote needs double ones, and must not contain any of " \\ $ `';
  return names
    .filter((name) => {
      const value = values[name];
      const isPlain = !/[\\$`]/.test(value ?? '');
      const ways = [`'${value}'`, ...(isPlain ? [`"${value}"`, value] : [])];
      return !ways.includes(typed[name]);
    })
    .map((variable) => ({ variable, kind: 'malformed', hint }));
}
