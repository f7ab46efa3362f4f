import { pickValues } from '../../shared/read-values.ts';
import { listVariables, type Values, type VariableName } from '../../shared/variables.ts';
import { site } from '../../src/config/site.ts';
import { applyRoutines, recordDeployment, refuseEditedMigrations, useDatabase } from '../database.ts';
import { probe, printFindings } from '../probe/probe.ts';
import { astroCommand, findProgram, quietSupabase, runProgram, supabaseCommand } from '../stack/process.ts';
import { setCallerHeader, updateSecrets } from './secrets.ts';
import { readDatabaseUrl } from '../values.ts';
import { listHosts, readProjectRef } from './check-values.ts';

/** A step of a deployment: a Node program, or work of our own. It can be run again after any step failed. */
export interface Step {
  name: string;
  purpose: string;
  /** The program and its arguments, none of which are secret. */
  args?: string[];
  /** Environment variables for this program only. */
  environment?: Record<string, string>;
  /** What to look at when it fails. */
  help?: string;
  /** Resolves to `false` when it failed, or throws an Error that says what is wrong. `stop` asks it to end. */
  work?(say: (line: string) => void, stop: AbortSignal): Promise<boolean | void>;
}

const supabaseHelp =
  'A 403 means that SUPABASE_ACCESS_TOKEN needs Edge Functions and Edge Function Secrets, both read-write.';

/**
 * Lists the steps of a deployment. The server side comes before the pages that call it. The site is built first: a
 * build changes nothing live, and renders the email that the functions contain. `values` must have no faults.
 */
export function planDeployment(values: Values): Step[] {
  const pick = (...names: VariableName[]) => pickValues(values, names);
  const database = { PGPASSWORD: values.SUPABASE_DB_PASSWORD ?? '', ...quietSupabase };
  const databaseUrl = ['--db-url', readDatabaseUrl(values.SUPABASE_DB_URL ?? '')];
  const functionUrl = (values.PUBLIC_SUPABASE_URL ?? '').replace(/\/$/, '') + site.emailFunctionPath;
  const callerStep: Step = {
    name: 'caller',
    purpose: 'find the header that contains the caller’s IP address',
    work: (say) => setCallerHeader(values, say),
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
      name: 'history',
      purpose: 'make sure that no migration was edited after it was applied',
      work: () => useDatabase(values, refuseEditedMigrations),
    },
    {
      name: 'migrations',
      purpose: 'apply new migrations to the database',
      help: 'If migrations are missing here, this checkout is older than what is live: pull, and repair nothing.',
      args: [supabaseCommand, 'db', 'push', '--yes', ...databaseUrl],
      environment: database,
    },
    {
      name: 'routines',
      purpose: 'put the functions and views of the database in place',
      work: () => useDatabase(values, applyRoutines),
    },
    {
      name: 'secrets',
      purpose: 'give the functions their secrets, and remove those that are no longer set',
      help: supabaseHelp,
      work: async () => {
        await useDatabase(values, (sql) => recordDeployment(sql, values));
        await updateSecrets(values);
      },
    },
    {
      name: 'functions',
      purpose: 'deploy the functions',
      args: [
        ...[supabaseCommand, 'functions', 'deploy', '--use-api'],
        ...['--project-ref', readProjectRef(values) ?? ''],
      ],
      environment: { ...pick('SUPABASE_ACCESS_TOKEN'), ...quietSupabase },
      help: supabaseHelp,
    },
    // A name that the owner has set is used as it is. The probe checks it either way.
    ...(values.CALLER_HEADER ? [] : [callerStep]),
    {
      name: 'clock',
      purpose: 'have the database start a delivery every minute',
      args: [
        ...[supabaseCommand, 'db', 'query', ...databaseUrl],
        // The checks refuse a key that contains a quote.
        `select private.schedule_delivery('${functionUrl}', '${values.PUBLIC_SUPABASE_ANON_KEY}')`,
      ],
      environment: database,
    },
    {
      name: 'site',
      purpose: 'upload the site',
      args: [findProgram('wrangler', 'bin/wrangler.js'), 'deploy', ...listHostOptions(values)],
      environment: {
        ...pick('CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_TOKEN'),
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_SEND_METRICS: 'false',
      },
      help: 'An authentication error (10000) means that CLOUDFLARE_API_TOKEN has no write access, or does not include the account or the domain: docs/deploy.md, “Cloudflare and DNS”.',
    },
    {
      name: 'probe',
      purpose: 'sign up like a visitor and check what is live',
      work: (say, stop) => printFindings(probe(values, stop), say),
    },
  ];
}

/**
 * Lists wrangler's options for the hosts of the site. Each site has a Worker of its own, named after its main host with
 * hyphens doubled: another one with the same name would be replaced. wrangler detaches every domain that is not listed: it sets
 * the complete list (`replace_state` in wrangler 4.155). A workers.dev host comes from the name of the Worker.
 */
function listHostOptions(values: Values): string[] {
  const [main = '', ...others] = listHosts(values);
  if (main.endsWith('.workers.dev')) return ['--name', main.split('.')[0]!];
  const domains = [main, ...others].flatMap((host) => ['--domain', host]);
  return ['--name', main.replaceAll('-', '--').replaceAll('.', '-').slice(0, 63), ...domains];
}

/** Describes a step in one line, with its place in the list. */
export function describeStep({ name, purpose }: Step, index: number, steps: Step[]): string {
  return `${index + 1}/${steps.length} ${name}: ${purpose}`;
}

/** Runs the steps in order until one fails. Returns that one. */
export async function runSteps(
  steps: Step[],
  surroundings: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<Step | undefined> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const say = (line: string) => print(`    ${line}`);
  for (const [index, step] of steps.entries()) {
    print(describeStep(step, index, steps));
    const isDone = await runStep(step, surroundings, say, stop.signal);
    if (!isDone || stop.signal.aborted) return step;
  }
  return undefined;
}

async function runStep(
  { args, environment, work }: Step,
  surroundings: NodeJS.ProcessEnv,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<boolean> {
  if (args) {
    const env = { ...surroundings, ...environment };
    return (await runProgram(args, env, stop, say)).status === 0;
  }
  try {
    return (await work?.(say, stop)) !== false;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return false;
  }
}
