import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Writes values, which `findLineFault` accepts, into a file that only its owner can read. */
export function writeEnvFile(file: string, values: Record<string, string>): void {
  const lines = Object.entries(values).map(([name, value]) => `${formatLine(name, value)}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
}

/** Returns a fault for a value that some programs would not read from the file as it was written. */
export function findLineFault(variable: string, value: string): Fault | undefined {
  const fault = { variable, kind: 'unusable' } as const;
  if (/[\r\n]/.test(value)) return { ...fault, hint: 'it contains a line break. Remove it' };
  if (!value.includes("'") || !/["\\$`]/.test(value)) return undefined;
  return { ...fault, hint: `it contains a ' together with one of " \\ $ \`. Choose a value without the '` };
}

/** Finds values that are not read as somebody typed them, such as a password that contains a # and has no quotes. */
export function findMisread(text: string, names: string[]): Fault[] {
  const values = parseEnv(text);
  const lines = [...text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(.*?)[ \t\r]*$/gm)];
  // Of two lines for one value, the last one counts.
  const typed = Object.fromEntries(lines.map(([, name, value]) => [name, value]));
  return names
    .filter((name) => ![`'${values[name]}'`, `"${values[name]}"`, values[name]].includes(typed[name]))
    .map((variable) => {
      const hint =
        'write nothing in its line of .env but the value between single quotes, or double ones if it has a single one';
      return { variable, kind: 'malformed', hint };
    });
}

/** Quotes a value. In single quotes, all readers (Node, Vite, the services' CLIs) take it literally. */
function formatLine(name: string, value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return `${name}=${value}`;
  return value.includes("'") ? `${name}="${value}"` : `${name}='${value}'`;
}
