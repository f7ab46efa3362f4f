import { findEnvironmentFaults, findPlaceholders, findReservedHost } from '../src/environment.ts';
import { isDatabaseUrl, readDatabaseRef } from './database-url.ts';
import { findLineFault } from './env-file.ts';
import { findFunctionFaults } from './function-secrets.ts';
import { describeVariable, type VariableName, variableNames, type Values } from './variables.ts';

/** How the values look that neither the site nor a function checks. */
const shapes: Partial<Record<VariableName, [shape: { test(value: string): boolean }, hint: string]>> = {
  PUBLIC_SITE_URL: [
    // The site's own rule takes loopback as well, for builds that stay on the machine.
    /^https:\/\/(?!localhost\b|127\.|\[)/,
    'the address of the site for everybody: https:// and your own domain',
  ],
  SUPABASE_SECRET_KEY: [/^(sb_secret_[\w-]+|eyJ[\w.-]+)$/, 'the secret key of the project (sb_secret_...)'],
  SUPABASE_DB_URL: [
    { test: isDatabaseUrl },
    'the connection string of the database: postgresql://postgres.abc@host:5432/postgres. Leave a password in it out, or percent-encode its / ? # @ as %2F %3F %23 %40',
  ],
  SUPABASE_ACCESS_TOKEN: [/^sbp_\w+$/, 'an access token of the Supabase account (sbp_...)'],
  SUPABASE_PROJECT_REF: [
    /^[a-z\d]{20}$/,
    'the twenty letters in the address of the dashboard of the project',
  ],
  RESEND_API_KEY: [/^re_\w+$/, 'an API key of the Resend account (re_...)'],
  RESEND_WEBHOOK_SECRET: [/^whsec_[\w+/=-]+$/, 'the signing secret of the webhook (whsec_...)'],
  CLOUDFLARE_ACCOUNT_ID: [/^[\da-f]{32}$/, 'the ID of the Cloudflare account: 32 digits and letters'],
  CLOUDFLARE_API_TOKEN: [/^[\w-]{20,}$/, 'an API token of Cloudflare'],
};

/** Says what is wrong with one value, without ever repeating it; `undefined` when nothing is. */
export function findFault(name: VariableName, value: string): string | undefined {
  const fault =
    findDashboardFault(name, value) ??
    findShapeFault(name, value) ??
    findExampleFault(name, value) ??
    findLineFault(name, value);
  const isToBegin = /^PUBLIC_.*_URL$/.test(name) && !value.startsWith('https://');
  return isToBegin ? fault?.replace(': set', ': begin with https://, and set') : fault;
}

/** The dashboard is a page of Supabase's own: keys for the project would be shown to it. */
function findDashboardFault(name: VariableName, value: string): string | undefined {
  if (name !== 'PUBLIC_SUPABASE_URL' || !/^https?:\/\/([\w-]+\.)?supabase\.com(\/|$)/.test(value))
    return undefined;
  const ref = /\/project\/([a-z\d]{20})\b/.exec(value)?.[1] ?? '<reference>';
  return `${name} is malformed: set it to https://${ref}.supabase.co, since this is the address of the dashboard.`;
}

function findExampleFault(name: VariableName, value: string): string | undefined {
  const host = describeVariable(name).isSecret ? undefined : findReservedHost(value);
  return host && describePlaceholder(`${name} (${host})`);
}

function describePlaceholder(placeholder: string): string {
  return `${placeholder} is a placeholder: replace it by your own.`;
}

function findShapeFault(name: VariableName, value: string): string | undefined {
  const shape = shapes[name];
  if (shape && !shape[0].test(value)) return `${name} is malformed: set it to ${shape[1]}.`;
  const faults = [...findEnvironmentFaults({ [name]: value }), ...findFunctionFaults({ [name]: value })];
  return faults.find((fault) => fault.startsWith(`${name} is malformed`));
}

/** Lists all that stands in the way of a deployment, a sentence each that begins with the name of what it is about. */
export function findObstacles(values: Values): string[] {
  const obstacles = new Map<string, string>();
  for (const name of variableNames) {
    const value = values[name];
    const fault = value === undefined ? describeMissing(name) : findFault(name, value);
    if (fault) obstacles.set(name, fault);
  }
  for (const placeholder of findPlaceholders(values)) {
    const [name = ''] = placeholder.split(' ');
    if (!obstacles.has(name)) obstacles.set(name, describePlaceholder(placeholder));
  }
  for (const fault of findFunctionFaults(values)) {
    const [name = ''] = fault.split(' ');
    if (!obstacles.has(name)) obstacles.set(name, fault);
  }
  if (!obstacles.has('SITE_URL') && !obstacles.has('PUBLIC_SITE_URL') && !holdsSite(values)) {
    obstacles.set(
      'SITE_URL',
      'SITE_URL does not hold the address of the site (PUBLIC_SITE_URL): its own pages could not call the functions. Add it, with a comma between.',
    );
  }
  if (!obstacles.has('PUBLIC_SUPABASE_URL') && readProjectRef(values) === undefined) {
    const hint = describeVariable('SUPABASE_PROJECT_REF').source;
    obstacles.set(
      'SUPABASE_PROJECT_REF',
      `SUPABASE_PROJECT_REF is missing: the address of the project does not hold it. ${hint}`,
    );
  }
  for (const [name, fault] of findOtherProjects(values)) {
    if (!obstacles.has(name) && !obstacles.has('PUBLIC_SUPABASE_URL')) obstacles.set(name, fault);
  }
  return [...obstacles.values()];
}

/** What leads to another project than the rest: a deployment would change the database of one for the pages of another. */
function findOtherProjects(values: Values): Map<VariableName, string> {
  const faults = new Map<VariableName, string>();
  const { SUPABASE_DB_URL: databaseUrl, SUPABASE_PROJECT_REF: given } = values;
  const ref = readProjectRef(values);
  const refOfAddress = readAddressRef(values);
  if (given && refOfAddress && given !== refOfAddress) {
    faults.set(
      'SUPABASE_PROJECT_REF',
      `SUPABASE_PROJECT_REF is ${given}, and the address of the project says ${refOfAddress}: leave it out.`,
    );
  }
  const databaseRef = databaseUrl && isDatabaseUrl(databaseUrl) ? readDatabaseRef(databaseUrl) : undefined;
  if (ref && databaseRef && databaseRef !== ref) {
    faults.set(
      'SUPABASE_DB_URL',
      `SUPABASE_DB_URL leads to the project ${databaseRef}, and the other values to ${ref}: copy all of them from one project.`,
    );
  }
  return faults;
}

/** The name under which Supabase knows the project. */
export function readProjectRef(values: Values): string | undefined {
  return values.SUPABASE_PROJECT_REF ?? readAddressRef(values);
}

function readAddressRef({ PUBLIC_SUPABASE_URL = '' }: Values): string | undefined {
  return /^https:\/\/([a-z\d]{20})\.supabase\.\w+\/?$/.exec(PUBLIC_SUPABASE_URL)?.[1];
}

function holdsSite({ SITE_URL, PUBLIC_SITE_URL = '' }: Values): boolean {
  const origins = SITE_URL?.split(',').map((url) => new URL(url.trim()).origin);
  return origins?.includes(new URL(PUBLIC_SITE_URL).origin) ?? true;
}

function describeMissing(name: VariableName): string | undefined {
  const { isOptional, label, source } = describeVariable(name);
  return isOptional ? undefined : `${name} is missing (${label}). ${source}`;
}
