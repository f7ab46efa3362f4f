import { spawnSync } from 'node:child_process';
import { supabaseCommand } from '../local/supabase.ts';

/** Removes secrets from the functions. It skips those that do not exist, because the command may fail on them. */
const [option = '', projectRef = '', ...names] = process.argv.slice(2);

const listed = JSON.parse(run('list', '--output', 'json')) as { name: string }[];
const existing = names.filter((name) => listed.some((secret) => secret.name === name));
// Without names the command would remove all secrets.
if (existing.length > 0) run('unset', '--yes', ...existing);
console.log(existing.length > 0 ? `Removed: ${existing.join(', ')}.` : 'There is nothing to remove.');

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [supabaseCommand, 'secrets', ...args, option, projectRef],
    { encoding: 'utf8' },
  );
  if (status === 0) return stdout;
  console.error(stderr);
  process.exit(1);
}
