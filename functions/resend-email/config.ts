import { parseEmailAddress } from '../email-address.ts';

/** What the function needs to know of the deployment that it runs in. */
export interface Config {
  /** Origins of the site. The first one is where a form without JavaScript leads when no other fits. */
  siteOrigins: [string, ...string[]];
  /** Publishable keys of the project: more than one while they are rotated. */
  publicKeys: string[];
  /** Base address of the project's data API. */
  supabaseUrl: string;
  /** The sender, as `Name <address>` or an address. */
  sender: string;
  unsubscribeAddress: string;
  resendApiKey: string;
  resendBaseUrl: string;
}

/**
 * Reads the configuration from environment variables.
 *
 * @throws Error that lists every missing or malformed variable and what to set it to.
 */
export function readConfig(readVariable: (name: string) => string | undefined): Config {
  const faults: string[] = [];

  function read(name: string, hint: string): string {
    const value = readVariable(name)?.trim() ?? '';
    if (value === '') faults.push(`${name} is missing: set it to ${hint}`);
    return value;
  }

  function readOrigins(name: string, hint: string): string[] {
    const value = read(name, hint);
    if (value === '') return [];
    const urls = value.split(',').map((url) => url.trim());
    if (!urls.every(isHttpUrl)) faults.push(`${name} is malformed: set it to ${hint}`);
    return urls.filter(isHttpUrl).map((url) => new URL(url).origin);
  }

  function readPublicKeys(): string[] {
    // The platform sets a dictionary of the project's publishable keys, and the legacy key where there is one.
    const dictionary = readVariable('SUPABASE_PUBLISHABLE_KEYS')?.trim() ?? '';
    const legacyKey = readVariable('SUPABASE_ANON_KEY')?.trim() ?? '';
    let keys: unknown[] = [];
    try {
      keys = dictionary === '' ? [] : Object.values(JSON.parse(dictionary) as object);
    } catch {
      faults.push('SUPABASE_PUBLISHABLE_KEYS is malformed: set it to {"default":"sb_publishable_..."}');
    }
    const usable = [...keys, legacyKey].filter((key) => typeof key === 'string' && key !== '');
    if (usable.length === 0) {
      faults.push('SUPABASE_PUBLISHABLE_KEYS is missing: set it to {"default":"sb_publishable_..."}');
    }
    return usable as string[];
  }

  const [siteOrigin = '', ...otherOrigins] = readOrigins(
    'SITE_URL',
    'the address of the site, such as https://dropyard.example; several are separated by commas',
  );
  const config: Config = {
    siteOrigins: [siteOrigin, ...otherOrigins],
    publicKeys: readPublicKeys(),
    supabaseUrl: read('SUPABASE_URL', 'the address of the project, such as https://abc.supabase.co'),
    sender: read('EMAIL_SENDER', 'the sender of the welcome e-mail, such as Name <hello@site.example>'),
    unsubscribeAddress: read('UNSUBSCRIBE_ADDRESS', 'the address that takes requests to leave'),
    resendApiKey: read('RESEND_API_KEY', 'an API key of the Resend account'),
    resendBaseUrl: readVariable('RESEND_BASE_URL')?.trim() || 'https://api.resend.com',
  };
  if (config.sender !== '' && !isSender(config.sender)) {
    faults.push('EMAIL_SENDER is malformed: set it to Name <hello@site.example>');
  }
  if (config.unsubscribeAddress !== '' && !parseEmailAddress(config.unsubscribeAddress)) {
    faults.push('UNSUBSCRIBE_ADDRESS is malformed: set it to one e-mail address');
  }
  if (faults.length > 0) throw new Error(`The function cannot start.\n${faults.join('\n')}`);
  return config;
}

/** Tells whether a text is an address, bare or as `Name <address>`. */
export function isSender(text: string): boolean {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return parseEmailAddress(address) !== undefined;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
