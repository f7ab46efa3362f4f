import {
  describeFault,
  type Fault,
  findFault,
  readVariable,
  type VariableName,
} from '../ground/variables.ts';

/** The configuration of every function. */
interface Config {
  /** Origins of the site. A form without JavaScript is redirected to the one that it came from, or to the first one. */
  siteOrigins: [string, ...string[]];
  /** Publishable keys of the project: several while they are rotated. */
  publicKeys: string[];
  /** URL of the project. */
  supabaseUrl: string;
  /** Secret keys of the project: several while they are rotated. The first one is for the database's procedures. */
  secretKeys: string[];
  secretKey: string;
  /** Signs unsubscribe tokens and keys the hashes that the database keeps. */
  tokenSecret: string;
}

/** The configuration of the email function. */
interface EmailConfig extends Config {
  /** `Name <address>` or an address. */
  sender: string;
  unsubscribeAddress: string;
  resendApiKey: string;
  resendBaseUrl: string;
  /** The header in which the platform puts the caller's IP address. Without one, no caller is known. */
  callerHeader: string | undefined;
}

/** The configuration of the function that receives webhooks from Resend. */
interface EventsConfig extends Config {
  /** Resend signs its events with it: `whsec_` and the key in base 64. */
  webhookSecret: string;
}

type ReadEnvironment = (name: string) => string | undefined;

/** Reads what every function needs. Throws an Error that lists each missing or malformed variable. */
export function readConfig(readEnvironment: ReadEnvironment): Config {
  return check(readEnvironment, readShared);
}

/** Reads what the email function needs. Throws an Error that lists each missing or malformed variable. */
export function readEmailConfig(readEnvironment: ReadEnvironment): EmailConfig {
  return check(readEnvironment, (reader) => ({
    ...readShared(reader),
    sender: reader.require('PUBLIC_EMAIL_SENDER'),
    unsubscribeAddress: reader.require('PUBLIC_UNSUBSCRIBE_ADDRESS'),
    resendApiKey: reader.require('RESEND_API_KEY'),
    resendBaseUrl: reader.read('RESEND_BASE_URL') ?? 'https://api.resend.com',
    callerHeader: reader.read('CALLER_HEADER'),
  }));
}

/** Reads what the function for Resend's events needs. Throws an Error that lists each missing or malformed variable. */
export function readEventsConfig(readEnvironment: ReadEnvironment): EventsConfig {
  return check(readEnvironment, (reader) => ({
    ...readShared(reader),
    webhookSecret: reader.require('RESEND_WEBHOOK_SECRET'),
  }));
}

class Reader {
  readonly faults: Fault[] = [];
  #readEnvironment: ReadEnvironment;

  constructor(readEnvironment: ReadEnvironment) {
    this.#readEnvironment = readEnvironment;
  }

  read(name: VariableName): string | undefined {
    const value = this.#readText(name);
    const fault = value === undefined ? undefined : findFault(name, value);
    if (fault) this.faults.push(fault);
    return value;
  }

  require(name: VariableName): string {
    const value = this.read(name);
    if (value === undefined) this.#miss(name);
    return value ?? '';
  }

  /** Supabase sets a dictionary of the project's keys, and the legacy key if there is one. */
  requireKeys(dictionary: VariableName, legacy: string): string[] {
    const faultsBefore = this.faults.length;
    const text = this.read(dictionary) ?? '{}';
    if (this.faults.length > faultsBefore) return [];
    const keys: unknown[] = Object.values(JSON.parse(text) as object);
    const usable = [...keys, this.#readText(legacy)].filter((key) => typeof key === 'string' && key !== '');
    if (usable.length === 0) this.#miss(dictionary);
    return usable as string[];
  }

  #readText(name: string): string | undefined {
    return this.#readEnvironment(name)?.trim() || undefined;
  }

  #miss(name: VariableName): void {
    this.faults.push({ variable: name, kind: 'missing', hint: `set it to ${readVariable(name).hint}` });
  }
}

function check<Result>(readEnvironment: ReadEnvironment, read: (reader: Reader) => Result): Result {
  const reader = new Reader(readEnvironment);
  const config = read(reader);
  if (reader.faults.length === 0) return config;
  throw new Error(`The function cannot start.\n${reader.faults.map(describeFault).join('\n')}`);
}

function readShared(reader: Reader): Config {
  const [siteOrigin = '', ...otherOrigins] = reader
    .require('SITE_URL')
    .split(',')
    .filter((url) => URL.canParse(url.trim()))
    .map((url) => new URL(url.trim()).origin);
  const secretKeys = reader.requireKeys('SUPABASE_SECRET_KEYS', 'SUPABASE_SERVICE_ROLE_KEY');
  return {
    siteOrigins: [siteOrigin, ...otherOrigins],
    publicKeys: reader.requireKeys('SUPABASE_PUBLISHABLE_KEYS', 'SUPABASE_ANON_KEY'),
    supabaseUrl: reader.require('SUPABASE_URL'),
    secretKeys,
    secretKey: secretKeys[0] ?? '',
    tokenSecret: reader.require('TOKEN_SECRET'),
  };
}
