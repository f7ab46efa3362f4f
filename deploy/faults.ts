import { findPlaceholders, findReservedHost } from '../src/environment.ts';
import {
  type Fault,
  findFault,
  isLoopback,
  listVariables,
  readVariable,
  type Values,
  type VariableName,
} from '../functions/variables.ts';
import { readDatabaseRef } from './database-url.ts';
import { findLineFault } from './env-file.ts';

/** The largest mailbox providers, and Resend's own domain. The owner cannot send from these. */
const foreignDomains =
  /^(gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|aol|proton|protonmail|gmx|web|mail|zoho|fastmail|yandex|qq|163|resend)\.(com|net|org|de|fr|co\.uk|me|ru|dev)$/i;

/** Lists everything that stops a deployment, with at most one fault per value. */
export function findFaults(values: Values): Fault[] {
  const own = listVariables('owner').flatMap((name) => findOwnFault(name, values[name]) ?? []);
  const faults = new Map(own.map((fault) => [fault.variable, fault]));
  for (const fault of [...findPlaceholders(values), ...findConflicts(values, new Set(faults.keys()))])
    if (!faults.has(fault.variable)) faults.set(fault.variable, fault);
  return [...faults.values()];
}

/** Returns the fault that makes a value unfit for a deployment; `undefined` when there is none. */
export function findOwnFault(variable: VariableName, value: string | undefined): Fault | undefined {
  const fault =
    findDashboardFault(variable, value) ??
    findFault(variable, value) ??
    findPlaceholder(variable, value ?? '') ??
    findHostFault(variable, value ?? '') ??
    findLineFault(variable, value ?? '');
  if (fault === undefined) return undefined;
  const { source = '', kind } = readVariable(variable);
  const isUrl = kind === 'origin' || kind === 'endpoint';
  const begin = isUrl && value && !value.startsWith('https://') ? 'begin with https://, and ' : '';
  const where = fault.kind === 'missing' ? `. ${source.replace(/\.$/, '')}` : '';
  return { variable, kind: fault.kind, hint: begin + fault.hint + where };
}

/** Reads the reference of the Supabase project. */
export function readProjectRef({ PUBLIC_SUPABASE_URL = '' }: Values): string | undefined {
  return /^https:\/\/([a-z\d]{20})\.supabase\.\w+\/?$/.exec(PUBLIC_SUPABASE_URL)?.[1];
}

/** Lists the hosts of the site, the main one first. */
export function listHosts({ PUBLIC_SITE_URL = '', SITE_URL = '' }: Values): string[] {
  const urls = [PUBLIC_SITE_URL, ...SITE_URL.split(',')].map((url) => url.trim()).filter(Boolean);
  return [...new Set(urls.map((url) => new URL(url).hostname))];
}

/** Returns the domain of a sender, which is `Name <address>` or an address. */
export function readDomain(sender: string): string {
  return sender.slice(sender.lastIndexOf('@') + 1).replace(/>?\s*$/, '');
}

/** Refuses the URL of the dashboard, because checks would send the keys of the project there. */
function findDashboardFault(variable: VariableName, value = ''): Fault | undefined {
  if (variable !== 'PUBLIC_SUPABASE_URL' || !/^https?:\/\/([\w-]+\.)?supabase\.com(\/|$)/.test(value))
    return undefined;
  const ref = /\/project\/([a-z\d]{20})\b/.exec(value)?.[1] ?? '<reference>';
  const hint = `set it to https://${ref}.supabase.co, since this is the URL of the dashboard`;
  return { variable, kind: 'malformed', hint };
}

/** Finds a URL that works for the local stack but not for a deployment. */
function findHostFault(variable: VariableName, value: string): Fault | undefined {
  const isProject = variable !== 'PUBLIC_SUPABASE_URL' || readProjectRef({ [variable]: value }) !== undefined;
  if (isProject && !value.split(',').some(isLoopback)) return undefined;
  return { variable, kind: 'malformed', hint: `set it to ${readVariable(variable).hint}` };
}

function findPlaceholder(variable: VariableName, value: string): Fault | undefined {
  // In the connection string the dashboard shows one for the password, which is not used there.
  const text = variable === 'SUPABASE_DB_URL' ? value.replace('[YOUR-PASSWORD]', '') : value;
  const sample = /\[YOUR-[A-Z-]+\]/.exec(text)?.[0];
  if (sample) return { variable, kind: 'placeholder', hint: `replace ${sample} with your own` };
  if (variable === 'PUBLIC_EMAIL_SENDER' && foreignDomains.test(readDomain(value))) {
    const hint = `${readDomain(value)} is not your domain. Send from the domain that you added at https://resend.com/domains`;
    return { variable, kind: 'unusable', hint };
  }
  return readVariable(variable).isSecret ? undefined : findReservedHost(variable, value);
}

/** Lists values that contradict each other. Values in `faulty` are not compared. */
function findConflicts(values: Values, faulty: Set<string>): Fault[] {
  const faults: Fault[] = [];
  const compare = (names: VariableName[], hint: () => string | undefined) => {
    if (names.some((name) => faulty.has(name))) return;
    const found = hint();
    if (found) faults.push({ variable: names[0]!, kind: 'unusable', hint: found });
  };
  const { SITE_URL, PUBLIC_SITE_URL = '', SUPABASE_DB_URL = '' } = values;
  compare(['SITE_URL', 'PUBLIC_SITE_URL'], () => {
    if (SITE_URL === undefined) return undefined;
    const hosts = listHosts({ SITE_URL });
    // Cloudflare switches it off as soon as the site has a domain, so that host would stop working.
    if (listHosts(values).length > 1 && listHosts(values).some((host) => host.endsWith('.workers.dev')))
      return 'a name below workers.dev cannot be kept beside another host. List only domains';
    if (!hosts.includes(new URL(PUBLIC_SITE_URL).hostname))
      return 'it lacks PUBLIC_SITE_URL, so the site’s own pages could not call the functions. Add that URL, after a comma';
    return undefined;
  });
  compare(['SUPABASE_DB_URL', 'PUBLIC_SUPABASE_URL'], () => {
    const [database, project] = [readDatabaseRef(SUPABASE_DB_URL), readProjectRef(values)];
    if (database === undefined || database === project) return undefined;
    return `it leads to the project ${database}, and PUBLIC_SUPABASE_URL to ${project}. Copy all values from one project`;
  });
  return faults;
}
