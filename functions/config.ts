import {
  describeFault,
  type Fault,
  findFault,
  readVariable,
  type VariableName,
} from '../ground/variables.ts';

type ReadEnvironment = (name: string) => string | undefined;

/** Reads what the functions need. Throws an Error that lists each missing or malformed variable. */
export function readConfig(readEnvironment: ReadEnvironment) {
  const reader = new Reader(readEnvironment);
  const [siteOrigin = '', ...otherOrigins] = reader
    .require('SITE_URL')
    .split(',')
    .filter((url) => URL.canParse(url.trim()))
    .map((url) => new URL(url.trim()).origin);
  const secretKeys = reader.requireKeys('SUPABASE_SECRET_KEYS', 'SUPABASE_SERVICE_ROLE_KEY');
  const config = {
    /** Origins of the site. A form without JavaScript is redirected to the one that it came from, or to the first one. */
    siteOrigins: [siteOrigin, ...otherOrigins] as [string, ...string[]],
    /** Publishable keys of the project: several while they are rotated. */
    publicKeys: reader.requireKeys('SUPABASE_PUBLISHABLE_KEYS', 'SUPABASE_ANON_KEY'),
    supabaseUrl: reader.require('SUPABASE_URL'),
    /** Secret keys of the project: several while they are rotated. The first one is for the database's procedures. */
    secretKeys,
    secretKey: secretKeys[0] ?? '',
    /** Signs unsubscribe tokens and keys the hashes that the database keeps. */
    tokenSecret: reader.require('TOKEN_SECRET'),
    /** `Name <address>` or an address. */
    sender: reader.require('PUBLIC_EMAIL_SENDER'),
    unsubscribeAddress: reader.require('PUBLIC_UNSUBSCRIBE_ADDRESS'),
    resendApiKey: reader.require('RESEND_API_KEY'),
    resendBaseUrl: reader.read('RESEND_BASE_URL') ?? 'https://api.resend.com',
    /** The header in which the platform puts the caller's IP address. Without one, no caller is known. */
    callerHeader: reader.read('CALLER_HEADER'),
  };
  reader.check();
  return config;
}

/** Reads what only the function for Resend's events needs in addition. Throws an Error like `readConfig`. */
export function readEventsConfig(readEnvironment: ReadEnvironment) {
  const reader = new Reader(readEnvironment);
  /** Resend signs its events with it: `whsec_` and the key in base 64. */
  const webhookSecret = reader.require('RESEND_WEBHOOK_SECRET');
  reader.check();
  return { ...readConfig(readEnvironment), webhookSecret };
}

class Reader {
  #faults: Fault[] = [];
  #readEnvironment: ReadEnvironment;

  constructor(readEnvironment: ReadEnvironment) {
    this.#readEnvironment = readEnvironment;
  }

  read(name: VariableName): string | undefined {
    const value = this.#readText(name);
    const fault = value === undefined ? undefined : findFault(name, value);
    if (fault) this.#faults.push(fault);
    return value;
  }

  require(name: VariableName): string {
    const value = this.read(name);
    if (value === undefined) this.#miss(name);
    return value ?? '';
  }

  /** Supabase sets a dictionary of the project's keys, and the legacy key if there is one. */
  requireKeys(dictionary: VariableName, legacy: string): string[] {
    const faultsBefore = this.#faults.length;
    const text = this.read(dictionary) ?? '{}';
    if (this.#faults.length > faultsBefore) return [];
    const keys: unknown[] = Object.values(JSON.parse(text) as object);
    const usable = [...keys, this.#readText(legacy)].filter((key) => typeof key === 'string' && key !== '');
    if (usable.length === 0) this.#miss(dictionary);
    return usable as string[];
  }

  check(): void {
    if (this.#faults.length > 0)
      throw new Error(`The function cannot start.\n${this.#faults.map(describeFault).join('\n')}`);
  }

  #readText(name: string): string | undefined {
    return this.#readEnvironment(name)?.trim() || undefined;
  }

  #miss(name: VariableName): void {
    this.#faults.push({ variable: name, kind: 'missing', hint: `set it to ${readVariable(name).hint}` });
  }
}
