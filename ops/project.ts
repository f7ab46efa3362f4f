import { UsageError } from './command.ts';
import { note } from './output.ts';
import { readRunFile } from './stack/run-file.ts';
import { readDeployment, root } from './values.ts';
import { resolve } from 'node:path';
import { splitList } from '../shared/formats.ts';
import { findFault } from '../shared/read-values.ts';
import type { Values, VariableName } from '../shared/variables.ts';

/** The values of the deployment that a command works on. These two are always set; some commands need more. */
export type Project = Values & { PUBLIC_SUPABASE_URL: string; SUPABASE_SECRET_KEY: string };

/** Chooses the deployment in `.env` with `isHosted`, else the local stack. Throws a UsageError that says what is wrong. */
export function chooseProject(isHosted: boolean): Project {
  if (isHosted) {
    const values = readDeployment();
    const needed = requireValues(values, 'PUBLIC_SITE_URL', 'PUBLIC_SUPABASE_URL', 'SUPABASE_SECRET_KEY');
    // Printed before anything changes, because the output of the local stack looks the same.
    note(`At ${needed.PUBLIC_SUPABASE_URL}`);
    return { ...values, ...needed };
  }
  const settings = readRunFile(resolve(root, process.env['DATA_DIR'] || '.data'))?.settings;
  if (!settings)
    throw new UsageError(
      'There is no waitlist to work on. Start the local stack with npm start, or add --hosted for the deployment in .env.',
    );
  return settings.values;
}

/**
 * Returns the values if all with these names are usable. Throws a UsageError if one is missing, or is a malformed URL. Other
 * formats are left to `deploy`, because a service may have a new one.
 */
export function requireValues<Name extends VariableName>(values: Values, ...names: Name[]) {
  const needed = names.filter((name) => !values[name] || name.endsWith('_URL'));
  const faults = needed.flatMap((name) => findFault(name, values[name]) ?? []);
  if (faults.length > 0) {
    const problem = 'Fix these values of the deployment (docs/deploy.md, “Set the values”):';
    throw new UsageError([problem, ...faults.map(({ text }) => text)].join('\n  '));
  }
  return values as Record<Name, string>;
}

/** Reads the secrets in TOKEN_SECRET: the first one signs, and the last one makes the hashes that the database keeps. */
export function readTokenSecrets(values: Values): [string, ...string[]] {
  return splitList(requireValues(values, 'TOKEN_SECRET').TOKEN_SECRET) as [string, ...string[]];
}
