import * as functionConfig from '../functions/config.ts';
import { type Values, variables } from './variables.ts';

/** Each export of the functions' configuration reads what one of them needs, and throws all that is missing. */
const readers = Object.values(functionConfig) as ((read: (name: string) => string | undefined) => unknown)[];

/** What the functions call otherwise than the site, which says it as well: it is not asked for twice. */
const siteNames: Record<string, keyof Values> = {
  SITE_URL: 'PUBLIC_SITE_URL',
  EMAIL_SENDER: 'PUBLIC_EMAIL_SENDER',
  UNSUBSCRIBE_ADDRESS: 'PUBLIC_UNSUBSCRIBE_ADDRESS',
};

/** What the platform sets by itself. */
const platformValues = {
  SUPABASE_URL: 'https://abc.supabase.co',
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_key"}',
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_key"}',
};

/** What goes to the functions, by the names that they read. */
export function readFunctionSecrets(values: Values): Record<string, string> {
  const secrets: Record<string, string> = {};
  for (const name of listNames()) {
    const siteName = siteNames[name];
    const value = (values as Record<string, string>)[name] ?? (siteName && values[siteName]);
    if (value !== undefined) secrets[name] = value;
  }
  return secrets;
}

/** Lists what the functions read and no value is given for: all of it optional, once nothing is in the way. */
export function listOpenSecrets(values: Values): string[] {
  const given = readFunctionSecrets(values);
  return listNames().filter((name) => given[name] === undefined);
}

/** Lists what the functions could not start with, a sentence each that begins with the variable. */
export function findFunctionFaults(values: Values): string[] {
  const secrets: Record<string, string> = { ...readFunctionSecrets(values), ...platformValues };
  const faults = readers.flatMap((read) => {
    try {
      read((name) => secrets[name]);
      return [];
    } catch (error) {
      const [, ...lines] = (error as Error).message.split('\n');
      return lines.map((line) => `${line.replace(/^\w+/, (name) => nameValue(name, values))}.`);
    }
  });
  return [...new Set(faults)].filter((fault) => !isLeftOut(fault));
}

/** The names that the functions read, but for those that are the platform's, and the provider's address. */
function listNames(): string[] {
  const names = new Set<string>();
  for (const read of readers) {
    try {
      read((name) => void names.add(name));
    } catch {
      // Without a value each of them throws; what counts is what it asked for.
    }
  }
  names.delete('RESEND_BASE_URL');
  return [...names].filter((name) => !name.startsWith('SUPABASE_'));
}

function nameValue(name: string, values: Values): string {
  return name in values ? name : (siteNames[name] ?? name);
}

/** A function that is optional says that it cannot start; a deployment does without it. */
function isLeftOut(fault: string): boolean {
  const name = /^(\w+) is missing/.exec(fault)?.[1];
  return Object.entries(variables).some(([other, variable]) => other === name && 'isOptional' in variable);
}
