import { join, resolve } from 'node:path';
import { readEnvFile } from './env-file.ts';
import { describeVariable, type Values, variableNames } from './variables.ts';

/** The folder of the project. */
export const root = resolve(import.meta.dirname, '..');

/** The file in which set-up leaves the values. */
export const envFile = join(root, '.env');

/**
 * Reads the values of a deployment: from the environment, else from `.env`. An empty value counts as none, since that is
 * what a workflow hands over for a secret that is not set.
 */
export function readValues(environment: NodeJS.ProcessEnv, file = envFile): Values {
  const stored = readEnvFile(file);
  const values: Values = {};
  for (const name of variableNames) {
    const value = (environment[name] || stored[name] || '').trim();
    if (value) values[name] = value;
  }
  return values;
}

/** Everything in the environment but the values: what a program is to know of those is handed to it one by one. */
export function readSurroundings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hidden = new Set<string>([...variableNames, 'GITHUB_TOKEN']);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.has(name)));
}

/** Makes what hides the secrets among the values in a text. */
export function makeRedaction(values: Values): (text: string) => string {
  const secrets = variableNames
    .filter((name) => describeVariable(name).isSecret)
    .flatMap((name) => values[name] ?? [])
    // The longest first: a secret may begin like another one.
    .sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text);
}
