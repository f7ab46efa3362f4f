import { spawnSync } from 'node:child_process';
import { supabaseCommand } from '../local/supabase.ts';

/** Sets a value, which is not secret, for the functions. They see it at their next call. */
export function setValue(projectRef: string, name: string, value: string): void {
  run(projectRef, 'set', `${name}=${value}`);
}

/** Removes secrets from the functions, and returns the names of those that existed: the command may fail on others. */
export function unsetSecrets(projectRef: string, names: string[]): string[] {
  const listed = JSON.parse(run(projectRef, 'list', '--output', 'json')) as { name: string }[];
  const existing = names.filter((name) => listed.some((secret) => secret.name === name));
  // Without names the command would remove all secrets.
  if (existing.length > 0) run(projectRef, 'unset', '--yes', ...existing);
  return existing;
}

function run(projectRef: string, ...args: string[]): string {
  const command = [supabaseCommand, 'secrets', ...args, '--project-ref', projectRef];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status === 0) return stdout;
  console.error(stderr);
  process.exit(1);
}
