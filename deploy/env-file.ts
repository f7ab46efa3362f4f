import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Fault } from '../ground/variables.ts';

/** Reads an environment file. A missing file counts as empty. */
export function readEnvFile(file: string): Record<string, string> {
  return existsSync(file) ? (parseEnv(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}

/** Writes values, which `findLineFault` accepts, into a file that only its owner can read. Keeps other lines and comments. */
export function writeEnvFile(file: string, values: Record<string, string>): void {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  for (const [name, value] of Object.entries(values)) {
    const line = formatLine(name, value);
    const pattern = new RegExp(`^\\s*(export\\s+)?${name}\\s*=`);
    const last = lines.findLastIndex((candidate) => pattern.test(candidate));
    if (last === -1) lines.push(line);
    else lines[last] = line;
  }
  // A new file, because other users may be able to read the old one.
  const draft = `${file}.draft`;
  writeFileSync(draft, `${lines.join('\n').replace(/^\n+/, '')}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Returns a fault for a value that some programs would not read from the file as it was written. */
export function findLineFault(variable: string, value: string): Fault | undefined {
  const fault = { variable, kind: 'unusable' } as const;
  if (/[\r\n]/.test(value)) return { ...fault, hint: 'it contains a line break. Remove it' };
  if (!value.includes("'") || !/["\\$`]/.test(value)) return undefined;
  return { ...fault, hint: `it contains a ' together with one of " \\ $ \`. Choose a value without the '` };
}

/** Quotes a value. In single quotes, all readers (Node, Vite, the services' CLIs) take it literally. */
function formatLine(name: string, value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return `${name}=${value}`;
  return value.includes("'") ? `${name}="${value}"` : `${name}='${value}'`;
}
