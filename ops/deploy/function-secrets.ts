import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listVariables, pickValues, type Values } from '../../shared/variables.ts';
import { supabaseCommand } from '../stack/supabase.ts';

/**
 * Sets secrets of the functions, which see them at their next call. They are passed in a file, because other users of the
 * machine can see arguments.
 */
export function setSecrets(projectRef: string, secrets: Record<string, string>): void {
  const lines = Object.entries(secrets).map(([name, value]) => {
    const quote = value.includes("'") ? '"' : "'";
    return `${name}=${quote}${value}${quote}\n`;
  });
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const file = join(folder, 'secrets.env');
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  run(projectRef, ['set', '--env-file', file]);
}

/** Removes secrets from the functions, and returns the names of those that existed: the command may fail on others. */
export function unsetSecrets(projectRef: string, names: string[]): string[] {
  const listed = JSON.parse(run(projectRef, ['list', '--output', 'json'])) as { name: string }[];
  const existing = names.filter((name) => listed.some((secret) => secret.name === name));
  // Without names the command would remove all secrets.
  if (existing.length > 0) run(projectRef, ['unset', '--yes', ...existing]);
  return existing;
}

function run(projectRef: string, args: string[]): string {
  const command = [supabaseCommand, 'secrets', ...args, '--project-ref', projectRef];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status === 0) return stdout;
  console.error(stderr);
  process.exit(1);
}

if (import.meta.main) {
  const [projectRef = ''] = process.argv.slice(2);
  const owners = listVariables('owner');
  const names = listVariables('functions').filter((name) => owners.includes(name));
  const secrets = pickValues(process.env as Values, names);
  setSecrets(projectRef, secrets);
  // A later step finds the caller header.
  const unset = names.filter((name) => !secrets[name] && name !== 'CALLER_HEADER');
  const removed = unsetSecrets(projectRef, unset);
  if (removed.length > 0) console.log(`Removed: ${removed.join(', ')}.`);
}
