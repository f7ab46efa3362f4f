import { isSender, parseEmailAddress } from './email-address.ts';

/** The groups of the values that an owner sets, in the order of `.env`. */
export const groups = {
  site: 'The site',
  supabase: 'Supabase: the list and the functions',
  resend: 'Resend: the welcome email',
  contacts: 'Contacts that visitors see',
  cloudflare: 'Cloudflare: the pages',
} as const;

/** The rule for each kind of value. */
const kinds = {
  /** An https URL. http is allowed only on this machine. */
  url: isUrl,
  /** The URL of a site or a project, without a path. */
  origin: isOrigin,
  /** Several origins, separated by commas. */
  origins: (value: string) => value.split(',').every((url) => isOrigin(url.trim())),
  email: (value: string) => parseEmailAddress(value) !== undefined,
  sender: isSender,
  /** With the country. */
  phone: (value: string) => /^\+[\d ()./-]{5,25}$/.test(value),
  flag: (value: string) => /^(true|false)$/.test(value),
  /** The name of one HTTP header. */
  header: (value: string) => /^[\w-]+$/.test(value),
  key: (value: string) => /^[\x21-\x7e]+$/.test(value),
  /** A JSON object with a key under each name, as Supabase hands keys to functions. */
  keys: isKeys,
  text: (value: string) => value.trim() !== '',
} satisfies Record<string, (value: string) => boolean>;

/** A value that differs from one deployment to the next. */
interface Variable {
  /** `platform`: Supabase sets it for the functions. `local`: for the stack on this machine and for tests. */
  group: keyof typeof groups | 'platform' | 'local';
  kind: keyof typeof kinds;
  /** A description that completes the sentence "set it to …". */
  hint: string;
  /** Where the owner finds it, in complete sentences. */
  source?: string;
  /** A rule that is stricter than the one for its kind. */
  accepts?: (value: string) => boolean;
  /** Whether a deployment works without it. */
  isOptional?: true;
  /** Whether screens and logs must never show it. */
  isSecret?: true;
  /** The parts that read it, in addition to the steps of a deployment. */
  usedBy?: readonly ('build' | 'functions' | 'probe')[];
}

/** Every deployment value, by its name in the environment and in `.env`. */
const variables = {
  PUBLIC_SITE_URL: {
    group: 'site',
    kind: 'origin',
    hint: 'the URL of the site without a path: https:// and your own domain',
    source: 'Your domain at Cloudflare, or https://name.account.workers.dev.',
    usedBy: ['build', 'probe'],
  },
  SITE_URL: {
    group: 'site',
    kind: 'origins',
    hint: 'the URLs of all hosts of the site, separated by commas',
    source: 'You need it only if the site has several hosts.',
    isOptional: true,
    usedBy: ['functions'],
  },
  PUBLIC_FAILURE_NOTICE: {
    group: 'site',
    kind: 'flag',
    hint: 'true or false: whether a form shows a notice when a sign-up fails',
    source: 'Without it, false.',
    isOptional: true,
    usedBy: ['build'],
  },
  TOKEN_SECRET: {
    group: 'site',
    kind: 'key',
    hint: 'random text of at least 32 characters, which makes unsubscribe links and protects stored hashes',
    source:
      'Set-up creates one. If the site is already live, use its current one. With a different one, addresses that must never get mail again are not recognized.',
    accepts: (value) => value.length >= 32,
    isSecret: true,
    usedBy: ['functions'],
  },
  PUBLIC_SUPABASE_URL: {
    group: 'supabase',
    kind: 'origin',
    hint: 'the URL of the Supabase project without a path: https://<reference>.supabase.co',
    source: 'Supabase, Connect. It is not the URL of the dashboard.',
    usedBy: ['build', 'probe'],
  },
  PUBLIC_SUPABASE_ANON_KEY: {
    group: 'supabase',
    kind: 'key',
    hint: 'the publishable key of the Supabase project (sb_publishable_...), never a secret one: it is in the pages',
    source: 'Supabase, Project Settings, API Keys.',
    accepts: isPublicKey,
    usedBy: ['build'],
  },
  SUPABASE_SECRET_KEY: {
    group: 'supabase',
    kind: 'key',
    hint: 'the secret key of the Supabase project (sb_secret_...), which gives full access to the list',
    source: 'Supabase, Project Settings, API Keys.',
    accepts: (value) => /^(sb_secret_[\w-]+|eyJ[\w.-]+)$/.test(value),
    isSecret: true,
    usedBy: ['probe'],
  },
  SUPABASE_DB_URL: {
    group: 'supabase',
    kind: 'text',
    hint: 'the connection string of the session pooler: postgresql://postgres.abc@host:5432/postgres',
    source: 'Supabase, Connect, Session pooler. Copy it as shown: a password in it is ignored.',
    accepts: isSessionPooler,
    isSecret: true,
  },
  SUPABASE_DB_PASSWORD: {
    group: 'supabase',
    kind: 'text',
    hint: 'the password of the database',
    source: 'You chose it when you created the project. To reset it: Supabase, Database, Settings.',
    isSecret: true,
  },
  SUPABASE_ACCESS_TOKEN: {
    group: 'supabase',
    kind: 'key',
    hint: 'an access token of the Supabase account (sbp_...), which deploys the functions',
    source: 'Create one at https://supabase.com/dashboard/account/tokens.',
    accepts: (value) => /^sbp_\w+$/.test(value),
    isSecret: true,
  },
  CALLER_HEADER: {
    group: 'supabase',
    kind: 'header',
    hint: 'the name of the one header that contains the caller’s IP address',
    source: 'A deployment finds it and sets it. A name that you set here overrides what it finds.',
    isOptional: true,
    usedBy: ['functions'],
  },
  PUBLIC_EMAIL_FUNCTION_URL: {
    group: 'supabase',
    kind: 'url',
    hint: 'the https:// URL of the email function',
    source: 'You need it only if the function runs outside the Supabase project.',
    isOptional: true,
    usedBy: ['build'],
  },
  RESEND_API_KEY: {
    group: 'resend',
    kind: 'key',
    hint: 'an API key of the Resend account (re_...)',
    source: 'Create one at https://resend.com/api-keys. Sending access for your domain is enough.',
    accepts: (value) => /^re_\w+$/.test(value),
    isSecret: true,
    usedBy: ['functions'],
  },
  PUBLIC_EMAIL_SENDER: {
    group: 'resend',
    kind: 'sender',
    hint: 'the sender of the welcome email, at your own domain: Name <hello@your-domain>',
    source: 'The domain is the one that you added at https://resend.com/domains.',
    usedBy: ['build', 'functions'],
  },
  PUBLIC_UNSUBSCRIBE_ADDRESS: {
    group: 'resend',
    kind: 'email',
    hint: 'the email address that receives unsubscribe requests',
    source: 'A mailbox that somebody reads.',
    usedBy: ['build', 'functions'],
  },
  RESEND_WEBHOOK_SECRET: {
    group: 'resend',
    kind: 'key',
    hint: 'the signing secret of the webhook at Resend (whsec_...)',
    source: 'Set it after the first deployment. Find it at https://resend.com/webhooks.',
    accepts: (value) => /^whsec_([A-Za-z0-9+/]{4}){6,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
    isOptional: true,
    isSecret: true,
    usedBy: ['functions', 'probe'],
  },
  PUBLIC_SUPPORT_EMAIL: {
    group: 'contacts',
    kind: 'email',
    hint: 'the email address for support',
    source: 'A mailbox that somebody reads.',
    usedBy: ['build'],
  },
  PUBLIC_SUPPORT_PHONE: {
    group: 'contacts',
    kind: 'phone',
    hint: 'the phone number for support, with the country: +1 (555) 555-0142',
    source: 'A number that somebody answers.',
    usedBy: ['build'],
  },
  PUBLIC_POSTAL_ADDRESS: {
    group: 'contacts',
    kind: 'text',
    hint: 'the name and postal address of the person or company that runs the site, in one line: Name, Street 1, 12345 Town',
    source: 'The privacy policy shows it.',
    accepts: (value) => value.includes(','),
    usedBy: ['build'],
  },
  CLOUDFLARE_ACCOUNT_ID: {
    group: 'cloudflare',
    kind: 'key',
    hint: 'the ID of the Cloudflare account: 32 digits and letters',
    source: 'Search the Cloudflare dashboard for "Copy account ID".',
    accepts: (value) => /^[\da-f]{32}$/.test(value),
  },
  CLOUDFLARE_API_TOKEN: {
    group: 'cloudflare',
    kind: 'key',
    hint: 'an API token of Cloudflare',
    source:
      'https://dash.cloudflare.com/profile/api-tokens, Create Token: the template "Edit Cloudflare Workers".',
    accepts: (value) => /^[\w-]{20,}$/.test(value),
    isSecret: true,
  },
  PUBLIC_DEV_MODE: {
    group: 'local',
    kind: 'flag',
    hint: 'true or false: whether the page’s email call goes to the dev API base',
    isOptional: true,
    usedBy: ['build'],
  },
  RESEND_BASE_URL: {
    group: 'local',
    kind: 'url',
    hint: 'the URL of an API like Resend’s, such as http://127.0.0.1:3000',
    isOptional: true,
    usedBy: ['functions'],
  },
  SUPABASE_URL: {
    group: 'platform',
    kind: 'url',
    hint: 'the URL of the project: https://<reference>.supabase.co',
    usedBy: ['functions'],
  },
  SUPABASE_PUBLISHABLE_KEYS: {
    group: 'platform',
    kind: 'keys',
    hint: '{"default":"sb_publishable_..."}',
    usedBy: ['functions'],
  },
  SUPABASE_SECRET_KEYS: {
    group: 'platform',
    kind: 'keys',
    hint: '{"default":"sb_secret_..."}',
    isSecret: true,
    usedBy: ['functions'],
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;

/** Deployment values by name. A value that is not set has no key. */
export type Values = Partial<Record<VariableName, string>>;

/** Something that is wrong with a value. It never repeats the value, which may be a secret. */
export interface Fault {
  /** The name of the value, or of anything else that is wrong. */
  variable: string;
  kind: keyof typeof faultWords;
  /** What to do, without a period at the end. */
  hint: string;
}

const faultWords = {
  missing: 'is missing',
  empty: 'is empty',
  malformed: 'is malformed',
  placeholder: 'is a placeholder',
  unusable: 'cannot be used',
} as const;

/** Returns one row of the table. */
export function readVariable(name: VariableName): Variable {
  return variables[name];
}

/** Lists the names of the values that a part of the system reads, or that an owner sets. */
export function listVariables(user: 'build' | 'functions' | 'probe' | 'owner'): VariableName[] {
  const names = Object.keys(variables) as VariableName[];
  return names.filter((name) => {
    const { group, usedBy } = readVariable(name);
    return user === 'owner' ? Object.hasOwn(groups, group) : usedBy?.includes(user);
  });
}

/** Returns what is wrong with one value on its own; `undefined` when nothing is. */
export function findFault(name: VariableName, value: string | undefined): Fault | undefined {
  const { kind, accepts, hint, isOptional } = readVariable(name);
  const fault = { variable: name, hint: `set it to ${hint}` };
  if (value === undefined) return isOptional ? undefined : { ...fault, kind: 'missing' };
  // An empty value would silently become the default.
  if (value.trim() === '') return { ...fault, kind: 'empty' };
  if (kinds[kind](value) && (accepts?.(value) ?? true)) return undefined;
  return { ...fault, kind: 'malformed' };
}

/** Says what is wrong and what to do, in one sentence. */
export function describeFault({ variable, kind, hint }: Fault): string {
  return `${variable} ${faultWords[kind]}: ${hint}.`;
}

/** Picks the values with these names. A value that is missing or empty is omitted. */
export function pickValues(values: Values, names: VariableName[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}

/** Picks the values that the functions read. */
export function readFunctionValues(values: Values): Values {
  return pickValues({ ...values, SITE_URL: listSiteUrls(values).join(',') }, listVariables('functions'));
}

/** Lists the URLs of all hosts of the site, the main one first. */
export function listSiteUrls({ PUBLIC_SITE_URL = '', SITE_URL = '' }: Values): string[] {
  const urls = [PUBLIC_SITE_URL, ...SITE_URL.split(',')].map((url) => url.trim());
  return [...new Set(urls.filter(Boolean))];
}

/** Removes the password from a connection string, whatever characters it has, without parsing it first. */
export function removePassword(connectionString: string): string {
  return connectionString.replace(/^(\w+:\/\/[^\s:/?#@]*):.*@/, '$1@');
}

/** Returns whether a text is an http or https URL on this machine. */
export function isLoopback(text: string): boolean {
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
}

/**
 * The direct connection needs IPv6, which GitHub does not have. The transaction pooler, at port 6543, does not suit
 * migrations: https://supabase.com/docs/guides/database/connecting-to-postgres
 */
function isSessionPooler(value: string): boolean {
  const url = removePassword(value);
  const isDatabase = /^postgres(ql)?:\/\/[^\s:/?#@]+@[^\s/?#@]+\/\w+/.test(url) && URL.canParse(url);
  return isDatabase && !/@db\.\w+\.supabase\.|:6543\//.test(url);
}

function isUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username } = new URL(value);
  const isPublic = protocol === 'https:' && hostname.includes('.');
  return (isPublic || isLoopback(value)) && search + hash + username === '';
}

function isOrigin(value: string): boolean {
  return isUrl(value) && new URL(value).pathname === '/';
}

function isPublicKey(value: string): boolean {
  if (value.startsWith('sb_publishable_')) return /^[\w-]+$/.test(value);
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(value)?.[1];
  if (payload === undefined) return false;
  try {
    // The legacy public key is a token with the role "anon". The secret key differs only in its role.
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).role === 'anon';
  } catch {
    return false;
  }
}

function isKeys(value: string): boolean {
  try {
    return typeof JSON.parse(value) === 'object';
  } catch {
    return false;
  }
}
