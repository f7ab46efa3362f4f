import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { astroCommand } from '../local/site-build.ts';
import { site } from '../src/site.ts';
import { readDatabaseUrl } from './database-url.ts';
import { listOpenSecrets, readFunctionSecrets } from './function-secrets.ts';
import { readProjectRef } from './obstacles.ts';
import { root } from './values.ts';
import type { Values } from './variables.ts';

const require = createRequire(import.meta.url);

/** A step of a deployment: a program for Node, which can be run again after a failure at any step. */
export interface Step {
  name: string;
  /** What it does, for a person. */
  purpose: string;
  /** The program and its arguments, which are no secrets. */
  args: string[];
  /** What it is told beyond its surroundings. */
  environment: Record<string, string>;
  /** Values for a file that the step reads and nobody else; its path is the last argument. */
  file?: Record<string, string>;
}

/**
 * Lists the steps of a deployment. The order loses nobody: what is asked of is there before the one who asks. The site
 * is built first, since a build changes nothing that is live and renders the e-mail that the functions carry.
 *
 * `values` must be free of obstacles.
 */
export function planDeployment(values: Values): Step[] {
  const project = ['--workdir', root, '--project-ref', readProjectRef(values) ?? ''];
  const account = { SUPABASE_ACCESS_TOKEN: values.SUPABASE_ACCESS_TOKEN ?? '', ...quietSupabase };
  const databaseUrl = readDatabaseUrl(values.SUPABASE_DB_URL ?? '');
  const database = { PGPASSWORD: values.SUPABASE_DB_PASSWORD ?? '' };
  const openSecrets = listOpenSecrets(values);
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
      args: [supabase, 'db', 'push', '--yes', '--workdir', root, '--db-url', databaseUrl],
      environment: { ...database, ...quietSupabase },
    },
    {
      name: 'secrets',
      purpose: 'hand their secrets to the functions',
      args: [supabase, 'secrets', 'set', ...project, '--env-file'],
      environment: account,
      file: readFunctionSecrets(values),
    },
    // Without a name the command would take all of them back.
    ...(openSecrets.length === 0
      ? []
      : [
          {
            name: 'unset',
            purpose: 'take secrets back that are not given any more',
            args: [supabase, 'secrets', 'unset', ...openSecrets, '--yes', ...project],
            environment: account,
          },
        ]),
    {
      name: 'functions',
      purpose: 'put the functions in place',
      args: [supabase, 'functions', 'deploy', '--use-api', ...project],
      environment: account,
    },
    {
      name: 'clock',
      purpose: 'have welcomes that wait sent every minute',
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
      args: [wrangler, 'deploy', '--config', join(root, 'wrangler.jsonc'), ...readPlace(values)],
      environment: {
        CLOUDFLARE_ACCOUNT_ID: values.CLOUDFLARE_ACCOUNT_ID ?? '',
        CLOUDFLARE_API_TOKEN: values.CLOUDFLARE_API_TOKEN ?? '',
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_SEND_METRICS: 'false',
      },
    },
    planProbe(values),
  ];
}

/** The step that looks at what is live. It can be run on its own. */
export function planProbe(values: Values): Step {
  const expected = [
    ...(values.CALLER_HEADER ? ['callers'] : []),
    ...(values.RESEND_WEBHOOK_SECRET ? ['delivery'] : []),
  ];
  return {
    name: 'probe',
    purpose: 'sign up as a visitor would, and look at what is live',
    args: [
      join(root, 'owner', 'waitlist.ts'),
      ...['probe', '--site', values.PUBLIC_SITE_URL ?? ''],
      ...(expected.length > 0 ? ['--expect', ...expected] : []),
    ],
    environment: {
      SUPABASE_URL: values.PUBLIC_SUPABASE_URL ?? '',
      SUPABASE_SECRET_KEY: values.SUPABASE_SECRET_KEY ?? '',
    },
  };
}

const supabase = join(dirname(require.resolve('supabase/package.json')), 'dist', 'supabase.js');
const wrangler = join(dirname(require.resolve('wrangler/package.json')), 'bin', 'wrangler.js');
const quietSupabase = { DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' };

/** What is public anyway: the values of the site, which is never deployed in dev mode. */
function readPublicValues(values: Values): Record<string, string> {
  const isPublic = ([name]: [string, string]) => name.startsWith('PUBLIC_');
  return { ...Object.fromEntries(Object.entries(values).filter(isPublic)), PUBLIC_DEV_MODE: 'false' };
}

/** Where wrangler puts the site: a name below workers.dev is the worker's own; any other is made to lead to it. */
function readPlace(values: Values): string[] {
  const { hostname } = new URL(values.PUBLIC_SITE_URL ?? '');
  const [name = ''] = hostname.split('.');
  return hostname.endsWith('.workers.dev') ? ['--name', name] : ['--domain', hostname];
}
