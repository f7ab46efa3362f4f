import {
  describeFault,
  findFault,
  listVariables,
  readVariable,
  type Values,
  type VariableName,
} from '../../shared/variables.ts';

type ReadEnvironment = (name: string) => string | undefined;

/** Supabase sets dictionaries of the project's keys, and the legacy keys if there are any. */
const legacyKeys: Values = {
  SUPABASE_PUBLISHABLE_KEYS: 'SUPABASE_ANON_KEY',
  SUPABASE_SECRET_KEYS: 'SUPABASE_SERVICE_ROLE_KEY',
};

/** Reads what the functions need. Throws an Error that lists each missing or malformed variable. */
export function readConfig(readEnvironment: ReadEnvironment) {
  const names = listVariables('functions').filter((name) => name !== 'RESEND_WEBHOOK_SECRET');
  const values = readValues(readEnvironment, names);
  const [siteOrigin = '', ...otherOrigins] = values.SITE_URL.split(',').map(
    (url) => new URL(url.trim()).origin,
  );
  const readKeys = (name: 'SUPABASE_PUBLISHABLE_KEYS' | 'SUPABASE_SECRET_KEYS') =>
    [...Object.values(JSON.parse(values[name]) as object), readEnvironment(legacyKeys[name]!)].filter(
      (key): key is string => typeof key === 'string' && key !== '',
    );
  const secretKeys = readKeys('SUPABASE_SECRET_KEYS');
  return {
    /** Origins of the site. A form without JavaScript is redirected to the one that it came from, or to the first one. */
    siteOrigins: [siteOrigin, ...otherOrigins] as [string, ...string[]],
    /** Publishable keys of the project: several while they are rotated. */
    publicKeys: readKeys('SUPABASE_PUBLISHABLE_KEYS'),
    supabaseUrl: values.SUPABASE_URL,
    /** Secret keys of the project: several while they are rotated. The first one is for the database's procedures. */
    secretKeys,
    secretKey: secretKeys[0] ?? '',
    /** Signs unsubscribe tokens and keys the hashes that the database keeps. */
    tokenSecret: values.TOKEN_SECRET,
    /** `Name <address>` or an address. */
    sender: values.PUBLIC_EMAIL_SENDER,
    unsubscribeAddress: values.PUBLIC_UNSUBSCRIBE_ADDRESS,
    resendApiKey: values.RESEND_API_KEY,
    resendBaseUrl: values.RESEND_BASE_URL ?? 'https://api.resend.com',
    /** The header in which the platform puts the caller's IP address. Without one, no caller is known. */
    callerHeader: values.CALLER_HEADER as string | undefined,
  };
}

/** Reads what only the function for Resend's events needs in addition. Throws an Error like `readConfig`. */
export function readEventsConfig(readEnvironment: ReadEnvironment) {
  /** Resend signs its events with it: `whsec_` and the key in base 64. */
  const { RESEND_WEBHOOK_SECRET: webhookSecret } = readValues(readEnvironment, ['RESEND_WEBHOOK_SECRET']);
  return { ...readConfig(readEnvironment), webhookSecret };
}

function readValues(readEnvironment: ReadEnvironment, names: VariableName[]): Record<VariableName, string> {
  const read = (name: string) => readEnvironment(name)?.trim() || undefined;
  const values: Values = {};
  const faults = names.flatMap((name) => {
    const legacy = legacyKeys[name];
    const value = read(name) ?? (legacy && read(legacy) && '{}');
    if (value !== undefined) values[name] = value;
    // Optional for the owner, who sets one URL of the site, and the webhook later.
    const isMissing = value === undefined && ['SITE_URL', 'RESEND_WEBHOOK_SECRET'].includes(name);
    const hint = `set it to ${readVariable(name).hint}`;
    return isMissing ? { variable: name, kind: 'missing' as const, hint } : (findFault(name, value) ?? []);
  });
  if (faults.length > 0)
    throw new Error(`The function cannot start.\n${faults.map(describeFault).join('\n')}`);
  return values as Record<VariableName, string>;
}
