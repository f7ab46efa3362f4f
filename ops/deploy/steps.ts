import {
  listVariables,
  pickFunctionValues,
  pickValues,
  type Values,
  type VariableName,
} from '../../shared/variables.ts';
import { quietSupabase, supabaseCommand } from '../stack/supabase.ts';
import { findProgram } from '../stack/process.ts';
import { astroCommand } from '../stack/site-build.ts';
import { site } from '../../src/config/site.ts';
import { listHosts, readProjectRef } from './faults.ts';
import { readDatabaseUrl } from '../values.ts';

/** A Node program that runs in the folder of the project. It can be run again after any step failed. */
export interface Step {
  name: string;
  purpose: string;
  /** The program and its arguments, none of which are secret. */
  args: string[];
  /** Environment variables for this step only. */
  environment: Record<string, string>;
  /** What to check when it fails. */
  advice?: string;
}

/**
 * Lists the steps of a deployment. The server side comes before the pages that call it. The site is built first: a
 * build changes nothing live, and renders the email that the functions contain. `values` must have no faults.
 */
export function planDeployment(values: Values): Step[] {
  const pick = (...names: VariableName[]) => pickValues(values, names);
  const account = { ...pick('SUPABASE_ACCESS_TOKEN'), ...quietSupabase };
  const projectRef = readProjectRef(values) ?? '';
  const database = { PGPASSWORD: values.SUPABASE_DB_PASSWORD ?? '', ...quietSupabase };
  const databaseUrl = ['--db-url', readDatabaseUrl(values.SUPABASE_DB_URL ?? '')];
  const functionUrl = (values.PUBLIC_SUPABASE_URL ?? '').replace(/\/$/, '') + site.emailFunctionPath;
  const callerStep: Step = {
    name: 'caller',
    purpose: 'find the header that contains the caller’s IP address',
    args: ['ops/deploy/find-caller-header.ts', projectRef],
    environment: { ...account, ...pick('PUBLIC_SUPABASE_URL', 'SUPABASE_SECRET_KEY') },
    advice: 'Check SUPABASE_SECRET_KEY, and the log of the function resend-email at Supabase.',
  };
  return [
    {
      name: 'build',
      purpose: 'build the site',
      args: [astroCommand, 'build'],
      environment: {
        ...pick(...listVariables('build')),
        PUBLIC_DEV_MODE: 'false',
        ASTRO_TELEMETRY_DISABLED: '1',
      },
    },
    {
      name: 'migrations',
      purpose: 'apply new migrations to the database',
      args: [supabaseCommand, 'db', 'push', '--yes', ...databaseUrl],
      environment: database,
    },
    {
      name: 'secrets',
      purpose: 'give the functions their secrets, and remove those that are no longer set',
      args: ['ops/deploy/function-secrets.ts', projectRef],
      environment: { ...account, ...pickFunctionValues(values, 'functions') },
    },
    {
      name: 'functions',
      purpose: 'deploy the functions',
      args: [supabaseCommand, 'functions', 'deploy', '--use-api', '--project-ref', projectRef],
      environment: account,
    },
    // A name that the owner has set is used as it is. The probe checks it either way.
    ...(values.CALLER_HEADER ? [] : [callerStep]),
    {
      name: 'clock',
      purpose: 'have the database send waiting welcomes every minute',
      args: [
        ...[supabaseCommand, 'db', 'query', ...databaseUrl],
        // The checks have refused a URL or a key that contains a quote.
        `select private.schedule_delivery('${functionUrl}', '${values.PUBLIC_SUPABASE_ANON_KEY}') as "sends every minute"`,
      ],
      environment: database,
    },
    {
      name: 'site',
      purpose: 'upload the site',
      args: [findProgram('wrangler', 'bin/wrangler.js'), 'deploy', ...readPlace(values)],
      environment: {
        ...pick('CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_TOKEN'),
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_SEND_METRICS: 'false',
      },
      advice:
        'If Cloudflare complains about a DNS record, delete the CNAME record of each host of the site in the Cloudflare dashboard, under DNS.',
    },
    {
      name: 'probe',
      purpose: 'sign up like a visitor and check what is live',
      args: ['ops/probe/main.ts'],
      environment: pick(...listVariables('probe')),
      advice:
        'A new domain needs a few minutes for its DNS and certificate. Then run: ./waitlist --hosted probe',
    },
  ];
}

/**
 * Returns wrangler's arguments for the hosts of the site. wrangler detaches every domain that is not listed: it sets
 * the complete list (`replace_state` in wrangler 4.155). A workers.dev host comes from the name of the worker.
 */
function readPlace(values: Values): string[] {
  return listHosts(values).flatMap((host) =>
    host.endsWith('.workers.dev') ? ['--name', host.split('.')[0] ?? ''] : ['--domain', host],
  );
}
