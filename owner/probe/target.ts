import { resolve } from 'node:path';
import { isHttpUrl, isLoopback } from '../../functions/variables.ts';
import { readRunFile } from '../../local/run-file.ts';
import { UsageError } from '../usage-error.ts';

/** The deployment that is probed. */
export interface Target {
  /** Origin of the site. */
  siteUrl: string;
  /** Address of the project. */
  apiUrl: string;
  secretKey: string;
  /** On this machine, where everybody is one caller and placeholders harm no one. */
  isLocal: boolean;
}

/**
 * Reads what to probe: the local stack, or what SUPABASE_URL, SUPABASE_SECRET_KEY and the address of the site name.
 *
 * @throws UsageError that names what is missing or malformed.
 */
export function readTarget(site: string | undefined, environment = process.env): Target {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secretKey, DATA_DIR: dataDir } = environment;
  if (url || secretKey) {
    const siteUrl = site || environment['PUBLIC_SITE_URL'];
    if (!url) throw new UsageError('SUPABASE_URL is missing: set it to the address of the project.');
    if (!secretKey)
      throw new UsageError('SUPABASE_SECRET_KEY is missing: set it to the secret key of the project.');
    if (!siteUrl) throw new UsageError('Name the site: --site https://…, or set PUBLIC_SITE_URL.');
    return makeTarget(siteUrl, url, secretKey);
  }
  const record = readRunFile(resolve(import.meta.dirname, '../..', dataDir || '.data'));
  if (record) return makeTarget(site || record.siteUrl, record.apiUrl, record.secretKey);
  throw new UsageError(
    'Nothing to probe. Start the local stack with npm start, add --hosted for the deployment of .env, or set SUPABASE_URL and SUPABASE_SECRET_KEY of a hosted project.',
  );
}

function makeTarget(siteUrl: string, apiUrl: string, secretKey: string): Target {
  const site = readUrl('The site', siteUrl);
  const api = readUrl('SUPABASE_URL', apiUrl);
  const isLocal = [site, api].every(({ href }) => isLoopback(href));
  return { siteUrl: site.origin, apiUrl: api.origin, secretKey, isLocal };
}

function readUrl(name: string, url: string): URL {
  if (isHttpUrl(url)) return new URL(url);
  throw new UsageError(`${name} is "${url}". Give an address such as https://waitlist.example.`);
}
