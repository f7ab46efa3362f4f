import { resolve } from 'node:path';
import { readValues } from '../deploy/values.ts';
import { isHttpUrl } from '../functions/variables.ts';
import { readRunFile } from '../local/run-file.ts';
import { UsageError } from './usage-error.ts';

/** The deployment that a command works on, as deployment values by name. Probe and announcements use more than the first two. */
export type Project = {
  PUBLIC_SUPABASE_URL: string;
  SUPABASE_SECRET_KEY: string;
  PUBLIC_SITE_URL?: string | undefined;
  CALLER_HEADER?: string | undefined;
  RESEND_WEBHOOK_SECRET?: string | undefined;
  PUBLIC_SUPPORT_EMAIL?: string | undefined;
  PUBLIC_SUPPORT_PHONE?: string | undefined;
  PUBLIC_POSTAL_ADDRESS?: string | undefined;
};

/**
 * Chooses the deployment of `.env` with `isHosted`; else the project that SUPABASE_URL and SUPABASE_SECRET_KEY name; else the
 * local stack.
 *
 * @throws UsageError that names the variable which is missing or wrong.
 */
export function chooseProject(isHosted: boolean, environment = process.env): Project {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: key, DATA_DIR: dataDir } = environment;
  if (isHosted) return chooseHosted(url, key);
  if (url && key) return check({ ...environment, PUBLIC_SUPABASE_URL: url, SUPABASE_SECRET_KEY: key });
  if (url || key) {
    const missing = url ? 'SUPABASE_SECRET_KEY' : 'SUPABASE_URL';
    throw new UsageError(
      `${missing} is missing: a hosted project needs SUPABASE_URL and SUPABASE_SECRET_KEY.`,
    );
  }
  const record = readRunFile(resolve(import.meta.dirname, '..', dataDir || '.data'));
  if (record) {
    const { siteUrl, apiUrl, secretKey } = record;
    return { PUBLIC_SITE_URL: siteUrl, PUBLIC_SUPABASE_URL: apiUrl, SUPABASE_SECRET_KEY: secretKey };
  }
  throw new UsageError(
    'There is no waitlist to work on. Start the local stack with npm start, add --hosted for the deployment of .env, or set SUPABASE_URL and SUPABASE_SECRET_KEY of a hosted project.',
  );
}

function chooseHosted(otherUrl: string | undefined, otherKey: string | undefined): Project {
  const values = readValues({});
  const { PUBLIC_SUPABASE_URL, SUPABASE_SECRET_KEY, PUBLIC_SITE_URL } = values;
  if (!PUBLIC_SUPABASE_URL || !SUPABASE_SECRET_KEY || !PUBLIC_SITE_URL)
    throw new UsageError('The file .env does not describe a deployment yet. Run npm run setup.');
  const withoutSlash = (text: string) => text.replace(/\/$/, '');
  const others = [
    ...(otherUrl && withoutSlash(otherUrl) !== withoutSlash(PUBLIC_SUPABASE_URL) ? ['SUPABASE_URL'] : []),
    ...(otherKey && otherKey !== SUPABASE_SECRET_KEY ? ['SUPABASE_SECRET_KEY'] : []),
  ];
  if (others.length > 0) {
    throw new UsageError(
      `.env and the environment name two different projects. Omit --hosted, or unset ${others.join(' and ')}.`,
    );
  }
  // Printed to stderr before anything changes, because the output of the local stack looks the same.
  console.error(`At ${PUBLIC_SUPABASE_URL}`);
  return check({ ...values, PUBLIC_SUPABASE_URL, SUPABASE_SECRET_KEY });
}

function check(project: Project): Project {
  const { PUBLIC_SUPABASE_URL: url, SUPABASE_SECRET_KEY: key } = project;
  if (!isHttpUrl(url))
    throw new UsageError(`SUPABASE_URL is "${url}". Set it to a URL such as https://abc.supabase.co.`);
  // The message never repeats a key, not even a wrong one.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('SUPABASE_SECRET_KEY is not a key. Copy the secret key (sb_secret_…) again.');
  return project;
}
