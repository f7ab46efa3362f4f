import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Reads an environment file; one that is not there holds nothing. */
export function readEnvFile(file: string): Record<string, string> {
  return existsSync(file) ? (parseEnv(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}

/**
 * Writes values into an environment file that only its owner can read. Lines and comments that are not about them stay
 * as they are.
 *
 * @throws Error that names the value when it cannot be written so that every reader of such files reads the same.
 */
export function writeEnvFile(file: string, values: Record<string, string>): void {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  for (const [name, value] of Object.entries(values)) {
    const line = formatLine(name, value);
    const pattern = new RegExp(`^\\s*(export\\s+)?${name}\\s*=`);
    const last = lines.findLastIndex((candidate) => pattern.test(candidate));
    if (last === -1) lines.push(line);
    else lines[last] = line;
  }
  // Aside and then moved: a file that was readable to others would stay so while it is written.
  const draft = `${file}.draft`;
  writeFileSync(draft, `${lines.join('\n').replace(/^\n+/, '')}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Says why a value cannot be written so that every reader of such files reads the same; `undefined` when it can. */
export function findLineFault(name: string, value: string): string | undefined {
  if (/[\r\n]/.test(value)) return `${name} holds a line break: leave it out.`;
  if (!value.includes("'") || !/["\\$`]/.test(value)) return undefined;
  return `${name} holds a ' beside one of " \\ $ \`: choose a value without it.`;
}

/** In single quotes nothing has a meaning, for any of the readers: Node, Vite, the command lines of the services. */
function formatLine(name: string, value: string): string {
  const fault = findLineFault(name, value);
  if (fault) throw new Error(fault);
  if (/^[\w@%+=:,./-]*$/.test(value)) return `${name}=${value}`;
  return value.includes("'") ? `${name}="${value}"` : `${name}='${value}'`;
}
