import { resolve } from 'node:path';
import { readValues } from '../deploy/values.ts';
import { describeFault, findFault, type Values } from '../functions/variables.ts';
import { readRunFile } from '../local/run-file.ts';
import { UsageError } from './usage-error.ts';

/** The deployment that a command works on. Probe and announcements use more values than the first two. */
export type Project = Values & { PUBLIC_SUPABASE_URL: string; SUPABASE_SECRET_KEY: string };

/**
 * Chooses the deployment in `.env` with `isHosted`; else the project that SUPABASE_URL and SUPABASE_SECRET_KEY name; else the
 * local stack. Throws a UsageError that says what is missing or wrong.
 */
export function chooseProject(isHosted: boolean): Project {
  if (isHosted) return chooseHosted();
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: key, DATA_DIR: dataDir } = process.env;
  if (url || key) {
    const names = ['SUPABASE_URL', 'SUPABASE_SECRET_KEY'] as const;
    const faults = names.flatMap((name) => findFault(name, process.env[name] || undefined) ?? []);
    if (faults.length > 0) throw new UsageError(faults.map(describeFault).join('\n'));
    return { ...readValues(process.env, {}), PUBLIC_SUPABASE_URL: url!, SUPABASE_SECRET_KEY: key! };
  }
  const settings = readRunFile(resolve(import.meta.dirname, '..', dataDir || '.data'))?.settings;
  if (settings) {
    const { siteUrl, apiUrl, secretKey } = settings;
    return { PUBLIC_SITE_URL: siteUrl, PUBLIC_SUPABASE_URL: apiUrl, SUPABASE_SECRET_KEY: secretKey };
  }
  throw new UsageError(
    'There is no waitlist to work on. Start the local stack with npm start, add --hosted for the deployment in .env, or set SUPABASE_URL and SUPABASE_SECRET_KEY of a hosted project.',
  );
}

function chooseHosted(): Project {
  const values = readValues({});
  const { PUBLIC_SUPABASE_URL, SUPABASE_SECRET_KEY, PUBLIC_SITE_URL } = values;
  if (!PUBLIC_SUPABASE_URL || !SUPABASE_SECRET_KEY || !PUBLIC_SITE_URL)
    throw new UsageError('The file .env does not describe a deployment yet. Run npm run setup.');
  // Printed to stderr before anything changes, because the output of the local stack looks the same.
  console.error(`At ${PUBLIC_SUPABASE_URL}`);
  return { ...values, PUBLIC_SUPABASE_URL, SUPABASE_SECRET_KEY };
}
