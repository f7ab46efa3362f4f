import { splitList } from '../../shared/formats.ts';
import { readValues } from '../../shared/read-values.ts';
import { type FunctionName, listVariables, variables, type VariableName } from '../../shared/variables.ts';

/** A function works without these. */
const optional: VariableName[] = ['CALLER_HEADER', 'PUBLIC_SUPABASE_URL', 'RESEND_BASE_URL'];

export type Config = ReturnType<typeof readConfig>;

/**
 * Reads what one function needs; what only others need is empty. Throws an Error that lists each missing variable. Accepts most
 * values with an unfamiliar form: a deployment has checked them.
 */
export function readConfig(user: FunctionName, readEnvironment: (name: string) => string | undefined) {
  const values = readValues(readEnvironment, user);
  const siteOrigins = splitList(values.SITE_URL ?? '').flatMap((url) => URL.parse(url)?.origin ?? []);
  const publicKeys = readKeys(values.SUPABASE_PUBLISHABLE_KEYS);
  const secretKeys = readKeys(values.SUPABASE_SECRET_KEYS);
  const tokenSecrets = splitList(values.TOKEN_SECRET ?? '').filter(Boolean);
  const usable = {
    ...values,
    SITE_URL: siteOrigins[0],
    SUPABASE_PUBLISHABLE_KEYS: publicKeys[0],
    SUPABASE_SECRET_KEYS: secretKeys[0],
    TOKEN_SECRET: tokenSecrets[0],
  };
  const missing = listVariables(user).filter((name) => !usable[name] && !optional.includes(name));
  if (missing.length > 0) {
    const lines = missing.map((name) => `${name} is missing: set it to ${variables[name].hint}.`);
    throw new Error(`The function cannot start.\n${lines.join('\n')}`);
  }
  const { CALLER_HEADER = '' } = values;
  return {
    /** Origins of the site. A form without JavaScript is redirected to the one that it came from, or to the first one. */
    siteOrigins: siteOrigins as [string, ...string[]],
    /** Several while the keys of the project are rotated. */
    publicKeys,
    secretKeys,
    /** The URL that members see. The one that the platform sets is never a custom domain. */
    supabaseUrl: values.PUBLIC_SUPABASE_URL ?? values.SUPABASE_URL ?? '',
    /** The first one signs unsubscribe tokens, all verify them, and the last one keys the hashes that the database keeps. */
    tokenSecrets,
    sender: values.PUBLIC_EMAIL_SENDER ?? '',
    unsubscribeAddress: values.PUBLIC_UNSUBSCRIBE_ADDRESS ?? '',
    resendApiKey: values.RESEND_API_KEY ?? '',
    resendBaseUrl: values.RESEND_BASE_URL,
    /** Resend signs its events with it: `whsec_` and the key in base 64. */
    webhookSecret: values.RESEND_WEBHOOK_SECRET ?? '',
    /** The header in which the platform puts the caller's IP address. Without a usable one, no caller is known. */
    callerHeader: /^[\w-]+$/.test(CALLER_HEADER) ? CALLER_HEADER : undefined,
  };
}

function readKeys(dictionary = '{}'): string[] {
  try {
    return Object.values(JSON.parse(dictionary) as Record<string, string>).filter(Boolean);
  } catch {
    return [];
  }
}
