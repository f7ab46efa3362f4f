import { isHttpUrl, isLoopback, listVariables, readVariable } from '../functions/variables.ts';

/** The deployment to probe. */
export interface Target {
  /** Origin of the site. */
  siteUrl: string;
  /** Origin of the Supabase project. */
  apiUrl: string;
  secretKey: string;
  /** Both are on this machine, where everybody is one caller and placeholders harm nobody. */
  isLocal: boolean;
  /** Whether the function is told who calls, and whether the provider reports deliveries. */
  hasCallerHeader: boolean;
  hasWebhook: boolean;
}

/**
 * Reads the target from deployment values by name, as they are in the environment or in `.env`.
 *
 * @throws Error that names the values which are missing or malformed.
 */
export function readTarget(values: Record<string, string | undefined>): Target {
  const missing = listVariables('probe').filter((name) => readVariable(name).isRequired && !values[name]);
  if (missing.length > 0) throw new Error(`Nothing was probed. Set ${missing.join(', ')}.`);
  const [site, api] = [readUrl('PUBLIC_SITE_URL', values), readUrl('PUBLIC_SUPABASE_URL', values)];
  const { SUPABASE_SECRET_KEY: secretKey = '', CALLER_HEADER, RESEND_WEBHOOK_SECRET } = values;
  return {
    siteUrl: site.origin,
    apiUrl: api.origin,
    secretKey,
    isLocal: [site, api].every(({ href }) => isLoopback(href)),
    hasCallerHeader: Boolean(CALLER_HEADER),
    hasWebhook: Boolean(RESEND_WEBHOOK_SECRET),
  };
}

function readUrl(name: string, values: Record<string, string | undefined>): URL {
  const value = values[name] ?? '';
  if (isHttpUrl(value)) return new URL(value);
  throw new Error(
    `Nothing was probed. ${name} is "${value}". Set it to a URL such as https://waitlist.example.`,
  );
}
