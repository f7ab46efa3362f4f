import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Fault } from '../ground/variables.ts';

/** Returns the text of an environment file. A missing file counts as empty. */
export function readEnvText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Reads the values of an environment file. */
export function readEnvFile(file: string): Record<string, string> {
  return parseEnv(readEnvText(file)) as Record<string, string>;
}

/**
 * Finds values that we or the other readers of the file (Vite, GitHub's program) do not read as somebody typed them, such as a
 * password that contains a # and has no quotes. In single quotes, all of them take a value literally.
 */
export function findMisread(text: string, names: string[]): Fault[] {
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
