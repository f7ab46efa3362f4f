import { findPlaceholder, findPlaceholderLinks } from '../../src/config/placeholders.ts';
import { isLoopback } from '../../shared/formats.ts';
import { suggest } from '../../src/content-model/nearest.ts';
import { type Fault, findFault, listSiteUrls } from '../../shared/read-values.ts';
import { listVariables, variables, type Values, type VariableName } from '../../shared/variables.ts';

/** The largest mailbox providers, and Resend's own domain. The owner cannot send from these. */
const foreignDomains =
  /^(gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|aol|proton|protonmail|gmx|web|mail|zoho|fastmail|yandex|qq|163|resend)\.(com|net|org|de|fr|co\.uk|me|ru|dev)$/i;

const names = listVariables('owner');

/** Lists the faults of the values and of `.env`, which stop a deployment. `written` is the text of `.env`. */
export function findFaults(values: Values, written = ''): Fault[] {
  const own = names.flatMap((name) => findOwnFault(name, values[name]) ?? []);
  return [
    ...findMisread(written),
    ...findRepeated(written),
    ...own,
    ...findPlaceholderLinks(),
    ...findConflicts(omitFaulty(values, own)),
  ];
}

/**
 * Finds values in `.env` that its other readers (Vite, GitHub's program) may not read as we do, such as a password that contains
 * a # and has no quotes. In single quotes, all of them take a value literally.
 */
function findMisread(written: string): Fault[] {
  const literal = /^('[^']*'|"[^"\\$`]*"|[^'"“”\\$`#]*)\s*$/;
  const misread = readLines(written).filter(
    ([, name = '', text = '']) => names.some((one) => one === name) && !literal.test(text),
  );
  const problem =
    'is malformed: write it on one line of .env between single quotes. A value with a single quote needs double ones, and must not contain any of " \\ $ `';
  return misread.map(([, variable = '']) => ({ variable, text: `${variable} ${problem}.` }));
}

/** Finds names that have two lines in `.env`: the last one counts, whichever was meant. */
function findRepeated(written: string): Fault[] {
  const lines = readLines(written).map(([, name = '']) => name);
  return names
    .filter((name) => lines.indexOf(name) !== lines.lastIndexOf(name))
    .map((variable) => ({ variable, text: `${variable} is in .env twice: delete the line that is wrong.` }));
}

const readLines = (written: string) => [...written.matchAll(/^ *(?:export +)?(\w+) *= *(.*)$/gm)];

/** Describes each name in `.env` that nothing reads: it may be misspelt. */
export function findUnread(written: string): string[] {
  const unknown = readLines(written).filter(([, name]) => !names.some((one) => one === name));
  return unknown.map(
    ([, name = '']) => `${name}: nothing reads it. ${suggest(name, names, '.env.example lists')}`,
  );
}

/** Returns the values without faults. */
export function omitFaulty(values: Values, faults: Fault[]): Values {
  const faulty = new Set(faults.map(({ variable }) => variable));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !faulty.has(name)));
}

/** Returns the reason why a deployment cannot use a value; `undefined` when it can. */
export function findOwnFault(variable: VariableName, value: string | undefined): Fault | undefined {
  const fault = findFault(variable, value);
  if (fault || value === undefined) return fault;
  return findSample(variable, value) ?? findHostFault(variable, value);
}

/** Reads the Supabase project's reference ID from its URL, or for a custom domain from the user of its database. */
export function readProjectRef({ PUBLIC_SUPABASE_URL = '', SUPABASE_DB_URL }: Values): string | undefined {
  const [, ref] = /^https:\/\/([a-z\d]{20})\.supabase\.\w+\/?$/.exec(PUBLIC_SUPABASE_URL) ?? [];
  return ref ?? readDatabaseRef(SUPABASE_DB_URL);
}

function readDatabaseRef(databaseUrl = ''): string | undefined {
  return /^\w+:\/\/[^.:@]+\.([a-z\d]{20})[:@]/.exec(databaseUrl)?.[1];
}

/** Lists the hosts of the site, the main one first. */
export function listHosts(values: Values): string[] {
  return [...new Set(listSiteUrls(values).map((url) => new URL(url).hostname))];
}

/** Returns the domain of a sender, which is `Name <address>` or an address. */
export function readDomain(sender: string): string {
  return sender.toLowerCase().replace(/^.*@|>?\s*$/g, '');
}

/** Finds a URL that works for the local stack but not for a deployment. */
function findHostFault(variable: VariableName, value: string): Fault | undefined {
  const isOwn = variable !== 'PUBLIC_SUPABASE_URL' || !/\.supabase\.\w+\/?$/.test(value);
  const isUsable = isOwn || readProjectRef({ [variable]: value }) !== undefined;
  if (isUsable && !value.split(',').some(isLoopback)) return undefined;
  return { variable, text: `${variable} is malformed: set it to ${variables[variable].hint}.` };
}

/** Finds sample values from a dashboard, from our docs or from the product. */
function findSample(variable: VariableName, value: string): Fault | undefined {
  // The dashboard's connection string has one in place of the password. We ignore both.
  const text = variable === 'SUPABASE_DB_URL' ? value.replace('[YOUR-PASSWORD]', '') : value;
  const sample = /\[YOUR-[A-Z-]+\]/.exec(text)?.[0];
  if (sample) return { variable, text: `${variable} is a placeholder: replace ${sample} with your own.` };
  if (variable === 'PUBLIC_EMAIL_SENDER' && foreignDomains.test(readDomain(value))) {
    const text = `${variable} cannot be used: ${readDomain(value)} is not your domain. Send from the domain that you added at https://resend.com/domains.`;
    return { variable, text };
  }
  return variables[variable].isSecret ? undefined : findPlaceholder(variable, value);
}

/** Lists values that contradict each other. Each value alone must have no faults. */
function findConflicts(values: Values): Fault[] {
  const faults: Fault[] = [];
  const hosts = listHosts(values);
  // Cloudflare switches a workers.dev host off as soon as the site has a domain.
  if (hosts.length > 1 && hosts.some((host) => host.endsWith('.workers.dev'))) {
    const text =
      'SITE_URL cannot be used: a workers.dev host cannot be combined with other hosts. List only domains.';
    faults.push({ variable: 'SITE_URL', text });
  }
  const database = readDatabaseRef(values.SUPABASE_DB_URL);
  const project = readProjectRef(values);
  if (values.SUPABASE_DB_URL && values.PUBLIC_SUPABASE_URL && !project) {
    const text = `SUPABASE_DB_URL cannot be used: with a custom domain, its user must be postgres.<reference>. Copy it from Supabase, Connect, Session pooler.`;
    faults.push({ variable: 'SUPABASE_DB_URL', text });
  }
  if (database && project && database !== project) {
    const text = `SUPABASE_DB_URL cannot be used: it belongs to the project ${database}, but PUBLIC_SUPABASE_URL belongs to ${project}. Copy all values from one project.`;
    faults.push({ variable: 'SUPABASE_DB_URL', text });
  }
  return faults;
}
