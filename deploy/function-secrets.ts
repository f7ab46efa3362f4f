import { listVariables, pickValues, type Values } from '../ground/variables.ts';

/** Sets secrets of the functions, which see them at their next call. */
export async function setSecrets(projectRef: string, secrets: Record<string, string>): Promise<void> {
  const body = Object.entries(secrets).map(([name, value]) => ({ name, value }));
  await call(projectRef, 'POST', body);
}

/** Removes secrets from the functions. Resolves to the names of those that existed. */
export async function unsetSecrets(projectRef: string, names: string[]): Promise<string[]> {
  const listed = JSON.parse(await call(projectRef, 'GET')) as { name: string }[];
  const existing = listed.map(({ name }) => name).filter((name) => names.includes(name));
  if (existing.length > 0) await call(projectRef, 'DELETE', existing);
  return existing;
}

/** https://supabase.com/docs/reference/api/v1-bulk-create-secrets. Supabase's own program would need them in a file. */
async function call(projectRef: string, method: string, body?: object): Promise<string> {
  const response = await fetch(`https://api.supabase.com/v1/projects/${projectRef}/secrets`, {
    method,
    headers: {
      Authorization: `Bearer ${process.env['SUPABASE_ACCESS_TOKEN']}`,
      'Content-Type': 'application/json',
    },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  if (response.ok) return text;
  console.error(`Supabase answered ${response.status}: ${text}`);
  process.exit(1);
}

if (import.meta.main) {
  const [projectRef = ''] = process.argv.slice(2);
  const owners = listVariables('owner');
  const names = listVariables('functions').filter((name) => owners.includes(name));
  const secrets = pickValues(process.env as Values, names);
  await setSecrets(projectRef, secrets);
  // A later step finds the caller header.
  const unset = names.filter((name) => !secrets[name] && name !== 'CALLER_HEADER');
  const removed = await unsetSecrets(projectRef, unset);
  if (removed.length > 0) console.log(`Removed: ${removed.join(', ')}.`);
}
