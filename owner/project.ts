import { resolve } from 'node:path';
import { readValues } from '../deploy/values.ts';
import { isHttpUrl } from '../functions/variables.ts';
import { readRunFile } from '../local/run-file.ts';
import { UsageError } from './usage-error.ts';
import { Waitlist } from './waitlist-client.ts';

/**
 * Has everything that follows work on the deployment that `.env` describes, and says so.
 *
 * @throws UsageError when `.env` does not describe one, or the environment names another project.
 */
export function chooseDeployment(environment = process.env): void {
  const { PUBLIC_SUPABASE_URL, SUPABASE_SECRET_KEY, PUBLIC_SITE_URL } = readValues({});
  if (!PUBLIC_SUPABASE_URL || !SUPABASE_SECRET_KEY || !PUBLIC_SITE_URL) {
    throw new UsageError('The file .env does not describe a deployment yet. Run npm run setup.');
  }
  const withoutSlash = (text = '') => text.replace(/\/$/, '');
  const others = Object.entries({ SUPABASE_URL: PUBLIC_SUPABASE_URL, SUPABASE_SECRET_KEY })
    .filter(([name, value]) => environment[name] && withoutSlash(environment[name]) !== withoutSlash(value))
    .map(([name]) => name);
  if (others.length > 0) {
    throw new UsageError(`Two projects are named: leave out --hosted, or unset ${others.join(' and ')}.`);
  }
  Object.assign(environment, { SUPABASE_URL: PUBLIC_SUPABASE_URL, SUPABASE_SECRET_KEY, PUBLIC_SITE_URL });
  // Not among the output, and before anything is changed: the local stack looks just alike.
  console.error(`At ${PUBLIC_SUPABASE_URL}`);
}

/**
 * Opens the waitlist that the environment names, or that of the local stack.
 *
 * @throws UsageError that names the variable which is missing or wrong.
 */
export function openWaitlist(environment = process.env): Waitlist {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secretKey, DATA_DIR: dataDir } = environment;
  if (url && secretKey) return openHosted(url, secretKey);
  if (url || secretKey) {
    const missing = url ? 'SUPABASE_SECRET_KEY' : 'SUPABASE_URL';
    throw new UsageError(
      `${missing} is missing: a hosted project needs SUPABASE_URL and SUPABASE_SECRET_KEY.`,
    );
  }
  const record = readRunFile(resolve(import.meta.dirname, '..', dataDir || '.data'));
  if (record) return new Waitlist(record.apiUrl, record.secretKey);
  throw new UsageError(
    'No waitlist to read. Start the local stack with npm start, add --hosted for the deployment of .env, or set SUPABASE_URL and SUPABASE_SECRET_KEY of a hosted project.',
  );
}

function openHosted(url: string, secretKey: string): Waitlist {
  if (!isHttpUrl(url)) {
    throw new UsageError(`SUPABASE_URL is "${url}". Set it to an address such as https://abc.supabase.co.`);
  }
  // Of the key nothing is repeated, not even a wrong one.
  if (!/^[\x21-\x7e]+$/.test(secretKey)) {
    throw new UsageError('SUPABASE_SECRET_KEY is no key. Copy the secret key (sb_secret_…) once more.');
  }
  return new Waitlist(url, secretKey);
}
