import { isSender, parseEmailAddress } from './email-address.ts';

/** What every function needs to know of the deployment that it runs in. */
interface Config {
  /** Origins of the site. The first one is where a form without JavaScript leads when no other fits. */
  siteOrigins: [string, ...string[]];
  /** Publishable keys of the project: more than one while they are rotated. */
  publicKeys: string[];
  /** Base address of the project. */
  supabaseUrl: string;
  /** Opens the procedures of the database. */
  secretKey: string;
  /** Signs the tokens of those who leave, and hashes what the limits count and who is never mailed again. */
  tokenSecret: string;
}

/** What the e-mail function needs to know beyond that. */
interface EmailConfig extends Config {
  /** The sender, as `Name <address>` or an address. */
  sender: string;
  unsubscribeAddress: string;
  resendApiKey: string;
  resendBaseUrl: string;
  /** The header in which the platform tells the caller's address; without one callers are not limited. */
  callerHeader: string | undefined;
}

/** What the function that listens to Resend needs to know beyond that. */
interface EventsConfig extends Config {
  /** What Resend signs its events with, as `whsec_` and the key in base 64. */
  webhookSecret: string;
}

type ReadVariable = (name: string) => string | undefined;

/**
 * Reads what every function needs from environment variables.
 *
 * @throws Error that lists every missing or malformed variable and what to set it to.
 */
export function readConfig(readVariable: ReadVariable): Config {
  return check(readVariable, readShared);
}

/**
 * Reads what the e-mail function needs from environment variables.
 *
 * @throws Error that lists every missing or malformed variable and what to set it to.
 */
export function readEmailConfig(readVariable: ReadVariable): EmailConfig {
  return check(readVariable, (variables) => ({
    ...readShared(variables),
    sender: variables.read(
      'EMAIL_SENDER',
      'the sender of the welcome e-mail: Name <hello@site.example>',
      isSender,
    ),
    unsubscribeAddress: variables.read(
      'UNSUBSCRIBE_ADDRESS',
      'the e-mail address that takes requests to leave',
      (value) => parseEmailAddress(value) !== undefined,
    ),
    resendApiKey: variables.read('RESEND_API_KEY', 'an API key of the Resend account'),
    resendBaseUrl: variables.readOptional('RESEND_BASE_URL') ?? 'https://api.resend.com',
    callerHeader: variables.readOptional(
      'CALLER_HEADER',
      'the name of one header',
      // Any other would fail when it is looked up: at each sign-up.
      (value) => /^[\w-]+$/.test(value),
    ),
  }));
}

/**
 * Reads what the function that listens to Resend needs from environment variables.
 *
 * @throws Error that lists every missing or malformed variable and what to set it to.
 */
export function readEventsConfig(readVariable: ReadVariable): EventsConfig {
  return check(readVariable, (variables) => ({
    ...readShared(variables),
    webhookSecret: variables.read(
      'RESEND_WEBHOOK_SECRET',
      'the signing secret of the webhook at Resend: whsec_...',
      (value) => /^whsec_([A-Za-z0-9+/]{4}){6,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
    ),
  }));
}

class Variables {
  readonly faults: string[] = [];
  #readVariable: ReadVariable;

  constructor(readVariable: ReadVariable) {
    this.#readVariable = readVariable;
  }

  readOptional(
    name: string,
    hint = '',
    accepts: (value: string) => boolean = () => true,
  ): string | undefined {
    const value = this.#readVariable(name)?.trim() || undefined;
    if (value !== undefined && !accepts(value)) this.faults.push(`${name} is malformed: set it to ${hint}`);
    return value;
  }

  read(name: string, hint: string, accepts?: (value: string) => boolean): string {
    const value = this.readOptional(name, hint, accepts);
    if (value === undefined) this.faults.push(`${name} is missing: set it to ${hint}`);
    return value ?? '';
  }

  /** The platform sets a dictionary of the project's keys, and the legacy key where there is one. */
  readKeys(dictionary: string, legacy: string, hint: string): string[] {
    let keys: unknown[] = [];
    try {
      keys = Object.values(JSON.parse(this.readOptional(dictionary) ?? '{}') as object);
    } catch {
      this.faults.push(`${dictionary} is malformed: set it to ${hint}`);
    }
    const usable = [...keys, this.readOptional(legacy)].filter(
      (key) => typeof key === 'string' && key !== '',
    );
    if (usable.length === 0) this.faults.push(`${dictionary} is missing: set it to ${hint}`);
    return usable as string[];
  }
}

function check<Result>(readVariable: ReadVariable, read: (variables: Variables) => Result): Result {
  const variables = new Variables(readVariable);
  const config = read(variables);
  if (variables.faults.length === 0) return config;
  throw new Error(`The function cannot start.\n${variables.faults.join('\n')}`);
}

function readShared(variables: Variables): Config {
  const origins = variables
    .read('SITE_URL', 'the address of the site; several are separated by commas', (value) =>
      value.split(',').every(isHttpUrl),
    )
    .split(',')
    .filter(isHttpUrl)
    .map((url) => new URL(url.trim()).origin);
  const [siteOrigin = '', ...otherOrigins] = origins;
  const [secretKey = ''] = variables.readKeys(
    'SUPABASE_SECRET_KEYS',
    'SUPABASE_SERVICE_ROLE_KEY',
    '{"default":"sb_secret_..."}',
  );
  return {
    siteOrigins: [siteOrigin, ...otherOrigins],
    publicKeys: variables.readKeys(
      'SUPABASE_PUBLISHABLE_KEYS',
      'SUPABASE_ANON_KEY',
      '{"default":"sb_publishable_..."}',
    ),
    supabaseUrl: variables.read(
      'SUPABASE_URL',
      'the address of the project: https://abc.supabase.co',
      isHttpUrl,
    ),
    secretKey,
    tokenSecret: variables.read(
      'TOKEN_SECRET',
      'a random text of at least 32 characters',
      (value) => value.length >= 32,
    ),
  };
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:$/.test(new URL(text.trim()).protocol);
}
