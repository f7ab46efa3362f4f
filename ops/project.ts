import { resolve } from 'node:path';
import { readValues } from './deploy/values.ts';
import { describeFault, findFault, type Values, type VariableName } from '../shared/variables.ts';
import { readRunFile } from './stack/run-file.ts';
import { note } from './output.ts';
import { UsageError } from './command.ts';

/** The deployment that a command works on. Some commands use more values than the first two. */
export type Project = Values & { PUBLIC_SUPABASE_URL: string; SUPABASE_SECRET_KEY: string };

/** Chooses the deployment in `.env` with `isHosted`, else the local stack. Throws a UsageError that says what is wrong. */
export function chooseProject(isHosted: boolean): Project {
  if (isHosted) {
    const values = readValues({});
    const needed = requireValues(values, 'PUBLIC_SITE_URL', 'PUBLIC_SUPABASE_URL', 'SUPABASE_SECRET_KEY');
    // Printed before anything changes, because the output of the local stack looks the same.
    note(`At ${needed.PUBLIC_SUPABASE_URL}`);
    return { ...values, ...needed };
  }
  const dataDir = process.env['DATA_DIR'] || '.data';
  const settings = readRunFile(resolve(import.meta.dirname, '..', dataDir))?.settings;
  if (!settings)
    throw new UsageError(
      'There is no waitlist to work on. Start the local stack with npm start, or add --hosted for the deployment in .env.',
    );
  const { siteUrl, apiUrl, secretKey, databaseUrl, values } = settings;
  return {
    PUBLIC_SITE_URL: siteUrl,
    PUBLIC_SUPABASE_URL: apiUrl,
    SUPABASE_SECRET_KEY: secretKey,
    SUPABASE_DB_URL: `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}sslmode=disable`,
    SUPABASE_DB_PASSWORD: new URL(databaseUrl).password,
    TOKEN_SECRET: values.TOKEN_SECRET!,
  };
}

/** Picks the values with these names. Throws a UsageError that says what is wrong with each that cannot be used. */
export function requireValues<Name extends VariableName>(
  values: Values,
  ...names: Name[]
): Record<Name, string> {
  const faults = names.flatMap((name) => findFault(name, values[name]) ?? []);
  if (faults.length > 0) {
    const problem = 'The file .env does not describe a deployment. Run npm run setup.';
    throw new UsageError([problem, ...faults.map(describeFault)].join('\n  '));
  }
  return values as Record<Name, string>;
}
