import { join } from 'node:path';
import { listVariables, readFunctionValues, type Values } from '../functions/variables.ts';
import { findProgram } from '../local/process.ts';
import { astroCommand } from '../local/site-build.ts';
import { site } from '../src/site.ts';
import { readDatabaseUrl } from './database-url.ts';
import { listHosts, readProjectRef } from './faults.ts';
import { root } from './values.ts';

/** A step of a deployment: a program for Node that can be run again after a failure at any step. */
export interface Step {
  name: string;
  /** What the step does, shown to a person. */
  purpose: string;
  /** The program and its arguments, none of which are secret. */
  args: string[];
  /** Environment variables to add to the surroundings. */
  environment: Record<string, string>;
  /** Values for an environment file that only this step reads. Its path is the last argument. */
  file?: Record<string, string>;
  /** What to check when it fails. */
  advice?: string;
}

/**
 * Lists the steps of a deployment. The server side comes before the pages that call it. The site is built first: a
 * build changes nothing live, and renders the email that the functions contain.
 *
 * `values` must have no faults.
 */
export function planDeployment(values: Values): Step[] {
  const projectRef = readProjectRef(values) ?? '';
  const project = ['--workdir', root, '--project-ref', projectRef];
  const account = { SUPABASE_ACCESS_TOKEN: values.SUPABASE_ACCESS_TOKEN ?? '', ...quietSupabase };
  const databaseUrl = readDatabaseUrl(values.SUPABASE_DB_URL ?? '');
  const database = { PGPASSWORD: values.SUPABASE_DB_PASSWORD ?? '' };
  return [
    {
      name: 'build',
      purpose: 'build the site',
      args: [astroCommand, 'build'],
      environment: { ...readPublicValues(values), ASTRO_TELEMETRY_DISABLED: '1' },
    },
    {
      name: 'migrations',
      purpose: 'bring the database to the newest migration',
      args: [supabaseCommand, 'db', 'push', '--yes', '--workdir', root, '--db-url', databaseUrl],
      environment: { ...database, ...quietSupabase },
    },
    {
      name: 'secrets',
      purpose: 'give the functions their secrets',
      args: [supabaseCommand, 'secrets', 'set', ...project, '--env-file'],
      environment: account,
      file: readFunctionValues(values),
    },
    {
      name: 'functions',
      purpose: 'deploy the functions',
      args: [supabaseCommand, 'functions', 'deploy', '--use-api', ...project],
      environment: account,
    },
    {
      name: 'clock',
      purpose: 'have the database send waiting welcomes every minute',
      args: [join(root, 'deploy', 'clock.ts')],
      environment: {
        ...database,
        DATABASE_URL: databaseUrl,
        FUNCTION_URL: (values.PUBLIC_SUPABASE_URL ?? '').replace(/\/$/, '') + site.emailFunctionPath,
        PUBLIC_KEY: values.PUBLIC_SUPABASE_ANON_KEY ?? '',
      },
    },
    {
      name: 'site',
      purpose: 'upload the site',
      args: [wranglerCommand, 'deploy', '--config', join(root, 'wrangler.jsonc'), ...readPlace(values)],
      environment: {
        CLOUDFLARE_ACCOUNT_ID: values.CLOUDFLARE_ACCOUNT_ID ?? '',
        CLOUDFLARE_API_TOKEN: values.CLOUDFLARE_API_TOKEN ?? '',
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_SEND_METRICS: 'false',
      },
      advice:
        'If Cloudflare names a DNS record: delete the CNAME record of each host of the site in the Cloudflare dashboard, under DNS.',
    },
    planProbe(values),
  ];
}

const supabaseCommand = findProgram('supabase', 'dist/supabase.js');
const wranglerCommand = findProgram('wrangler', 'bin/wrangler.js');
const quietSupabase = { DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' };

function planProbe(values: Values): Step {
  return {
    name: 'probe',
    purpose: 'sign up like a visitor and check what is live',
    args: [join(root, 'probe', 'main.ts')],
    environment: Object.fromEntries(listVariables('probe').map((name) => [name, values[name] ?? ''])),
    advice:
      'A new domain needs some minutes for its DNS and certificate. Then run: npm run waitlist -- --hosted probe',
  };
}

/** The values of the pages, all of them public. A deployed site is never in dev mode. */
function readPublicValues(values: Values): Record<string, string> {
  const given = listVariables('build').flatMap((name) => (values[name] ? [[name, values[name]]] : []));
  return { ...Object.fromEntries(given), PUBLIC_DEV_MODE: 'false' };
}

/**
 * Returns wrangler's arguments for the hosts of the site. wrangler detaches every domain that is not listed: it sets
 * the complete list (`replace_state` in wrangler 4.155). A name below workers.dev is the worker's own.
 */
function readPlace(values: Values): string[] {
  return listHosts(values).flatMap((host) =>
    host.endsWith('.workers.dev') ? ['--name', host.split('.')[0] ?? ''] : ['--domain', host],
  );
}
