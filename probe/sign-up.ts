import { signUp } from '../src/site.ts';
import { fail, type Result, pass, warn } from './finding.ts';
import type { LiveForm } from './pages.ts';
import type { Target } from './target.ts';

/** What the database knows about the probe's sign-up. */
export interface Inspection {
  entries: number;
  state: 'waiting' | 'sent' | 'refused' | 'unknown' | null;
  problem: string | null;
  /** How many welcomes are sent before this one, and the latest problem of a waiting message. */
  ahead: number | null;
  held_up_by: string | null;
  is_delivered: boolean;
  return_kind: string | null;
  /** How many callers called the function with this address, and how many calls came without a caller. */
  callers: number;
  unseen: number;
  /** Other addresses of the last hour, and how many of them came from the same caller. */
  others: number;
  others_alike: number;
}

/** Inspects the sign-up until the condition holds or the time is up. Resolves to the last inspection. */
export type Wait = (isEnough: (seen: Inspection) => boolean) => Promise<Inspection>;

/** Headers with which a caller could pretend to be another one. */
const forged = Object.fromEntries(
  ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP'].map((name) => [name, '203.0.113.7']),
);

/** Signs the address up as the page does: once normally, and once with forged headers. */
export async function checkSignUp(
  { siteUrl }: Target,
  { functionUrl, publicKey }: LiveForm,
  email: string,
  signal: AbortSignal,
): Promise<Result> {
  const call = (more: Record<string, string>) =>
    fetch(functionUrl, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${publicKey}`,
        apikey: publicKey,
        Origin: siteUrl,
        ...more,
      },
      body: JSON.stringify({ to: email, subject: signUp.subject }),
      signal,
    });
  const response = await call({});
  const text = (await response.text()).slice(0, 200);
  if (!response.ok)
    return fail(
      `the function answers ${response.status} ${text}`,
      response.status === 429
        ? 'Probe again later, or raise the limit (npm run waitlist -- limits).'
        : 'Read the log of the function resend-email at Supabase.',
    );
  // The database shows whether the function believed the headers. A platform that refuses the call is fine too.
  await (await call(forged)).body?.cancel();
  if (response.headers.get('access-control-allow-origin') !== siteUrl)
    return fail(
      `the function refuses calls from ${siteUrl}`,
      'Set PUBLIC_SITE_URL to the URL of the site, and deploy again.',
    );
  return pass(`the function accepted ${email}`);
}

/** Checks that the function tells callers apart by a header that they cannot forge. */
export function checkCallers(
  { callers, unseen, others, others_alike }: Inspection,
  { isLocal, hasCallerHeader }: Target,
): Result {
  const todo =
    'Set CALLER_HEADER to the header in which the platform reports the caller (docs/deploy.md, “Limit callers”), and deploy again.';
  if (callers === 0) {
    const found = 'the function cannot see who is calling, so callers are not limited';
    return hasCallerHeader ? fail(found, todo) : warn(found, todo);
  }
  if (callers > 1 || unseen > 0) return fail('the function trusts a header that a caller can forge', todo);
  // More addresses than one household signs up in an hour.
  if (!isLocal && others >= 5 && others_alike === others)
    return fail(`${others} other addresses of the last hour seem to come from one caller`, todo);
  return pass(
    `the function tells callers apart, and nobody can forge the header; ${others_alike} of ${others} other sign-ups of the last hour look like this caller`,
  );
}

/** Checks that the welcome left the outbox. */
export async function checkWelcome(wait: Wait): Promise<Result> {
  const { state, problem, ahead, held_up_by } = await wait((seen) => seen.state !== 'waiting');
  if (state === 'sent') return pass('the provider accepted it');
  const cause = problem ?? held_up_by;
  const found = `${state ?? 'not in the outbox'}${cause ? `: ${cause}` : ''}`;
  // Resend's codes for a used-up plan: https://resend.com/docs/api-reference/errors
  if (state === 'waiting' && (cause ? /(daily|monthly)_quota_exceeded/.test(cause) : ahead))
    return warn(
      `${found}, ${ahead ?? 0} ahead of it`,
      'All welcomes are sent later, in order. A larger plan at Resend sends them sooner.',
    );
  return fail(
    found,
    'Check RESEND_API_KEY, PUBLIC_EMAIL_SENDER and the domain of the sender at Resend, and the log of the function resend-email.',
  );
}

/** Checks that the provider reported the delivery. Without the webhook, nobody learns about bounces. */
export async function checkDelivery({ hasWebhook }: Target, wait: Wait): Promise<Result> {
  if (!hasWebhook)
    return warn(
      'deliveries and bounces are unknown without RESEND_WEBHOOK_SECRET',
      'Set up the webhook at Resend (docs/deploy.md, “Learn about bounces”).',
    );
  const { is_delivered, return_kind } = await wait((seen) => seen.is_delivered || seen.return_kind !== null);
  if (is_delivered && !return_kind) return pass('the provider reports that the welcome arrived');
  return fail(
    return_kind ? `the provider reported the welcome as ${return_kind}` : 'the provider has not reported it',
    'Find the message at Resend. Check that a webhook for email.delivered calls delivery-events and has the signing secret RESEND_WEBHOOK_SECRET, and read the log of delivery-events at Supabase.',
  );
}
