import { isLoopback } from '../../shared/formats.ts';
import type { Values } from '../../shared/variables.ts';

export type Target = ReturnType<typeof readTarget>;

/** Reads the target from deployment values, of which only RESEND_WEBHOOK_SECRET may be missing. */
export function readTarget(values: Values) {
  const { PUBLIC_SITE_URL = '', PUBLIC_SUPABASE_URL = '', SUPABASE_SECRET_KEY = '' } = values;
  const isLocal = isLoopback(PUBLIC_SITE_URL) && isLoopback(PUBLIC_SUPABASE_URL);
  return {
    siteUrl: new URL(PUBLIC_SITE_URL).origin,
    apiUrl: new URL(PUBLIC_SUPABASE_URL).origin,
    secretKey: SUPABASE_SECRET_KEY,
    /** Both are on this machine, where everybody is the same caller. */
    isLocal,
    // The local stack always has one.
    hasWebhook: isLocal || values.RESEND_WEBHOOK_SECRET !== undefined,
  };
}
