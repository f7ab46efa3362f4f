import { describeFault, findFault, isLoopback, listVariables, type Values } from '../../shared/variables.ts';

export type Target = ReturnType<typeof readTarget>;

/**
 * Reads the target from deployment values. An empty value counts as missing, because a workflow passes one for a secret that is
 * not set. Throws an Error that lists the values which are missing or malformed.
 */
export function readTarget(values: Record<string, string | undefined>) {
  const faults = listVariables('probe').flatMap((name) => findFault(name, values[name] || undefined) ?? []);
  if (faults.length > 0) throw new Error(`Nothing was checked. ${faults.map(describeFault).join('\n')}`);
  const { PUBLIC_SITE_URL = '', PUBLIC_SUPABASE_URL = '', SUPABASE_SECRET_KEY = '' }: Values = values;
  const isLocal = isLoopback(PUBLIC_SITE_URL) && isLoopback(PUBLIC_SUPABASE_URL);
  return {
    siteUrl: new URL(PUBLIC_SITE_URL).origin,
    apiUrl: new URL(PUBLIC_SUPABASE_URL).origin,
    secretKey: SUPABASE_SECRET_KEY,
    /** How the owner's commands for this deployment begin. */
    waitlist: isLocal ? './waitlist' : './waitlist --hosted',
    /** Both are on this machine, where everybody is the same caller. */
    isLocal,
    // The local stack always has one.
    hasWebhook: isLocal || Boolean(values['RESEND_WEBHOOK_SECRET']),
  };
}
