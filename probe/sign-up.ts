import { signUp } from '../src/site.ts';
import { fail, type Finding, judge, pass, warn } from './finding.ts';
import type { LiveForm } from './pages.ts';
import type { Target } from './target.ts';

/** What the database knows about the probe's sign-up. */
export interface Inspection {
  entries: number;
  state: 'waiting' | 'sent' | 'refused' | 'unknown' | null;
  problem: string | null;
  /** How many welcomes are sent before this one, and the latest problem of one that waits. */
  ahead: number | null;
  held_up_by: string | null;
  is_delivered: boolean;
  return_kind: string | null;
  /** Calls of the sign-up function with this address, how many callers made them, and how many came without a caller. */
  calls: number;
  callers: number;
  unseen: number;
  /** Other addresses of the last hour, and how many of them came from the same caller. */
  others: number;
  others_alike: number;
}

type Inspect = () => Promise<Inspection>;

/** Inspects until it is enough or the time is up. Resolves to the last inspection. */
export type Wait = (isEnough: (seen: Inspection) => boolean) => Promise<Inspection>;

/** Headers with which a caller could pretend to be another. */
const forged = Object.fromEntries(
  ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP'].map((name) => [name, '203.0.113.7']),
);

/** Signs the address up as the page does, once honestly and once pretending to be another caller. */
export async function checkSignUp(
  { siteUrl }: Target,
  { functionUrl, publicKey }: LiveForm,
  email: string,
  signal: AbortSignal,
): Promise<Finding> {
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
  if (response.status === 429) {
    const seconds = response.headers.get('retry-after');
    return fail(
      'sign-up',
      `over a limit; try again in ${seconds} s`,
      'Probe again then, or raise the limit (npm run waitlist -- limits).',
    );
  }
  if (!response.ok)
    return fail(
      'sign-up',
      `the function answers ${response.status} ${text}`,
      'Read the log of the function resend-email at Supabase.',
    );
  // The database shows whether the function believed it. A platform that refuses the call is fine too.
  await (await call(forged)).body?.cancel();
  return pass('sign-up', `the function accepted ${email}`);
}

/** Inserts the entry as the page does, and checks that the list holds it once. */
export async function checkEntry(
  { apiUrl }: Target,
  { publicKey }: LiveForm,
  email: string,
  inspect: Inspect,
  signal: AbortSignal,
): Promise<Finding> {
  const response = await fetch(new URL('/rest/v1/waitlist_emails', apiUrl), {
    method: 'POST',
    headers: { apikey: publicKey, 'Content-Type': 'application/json' },
    body: JSON.stringify([{ email, created_at: new Date().toISOString(), source: signUp.source }]),
    signal,
  });
  await response.body?.cancel();
  const { entries } = await inspect();
  const faults = [
    ...(response.status === 201 ? [] : [`the insert of the page is answered with ${response.status}`]),
    ...(entries === 1 ? [] : [`the list holds the address ${entries} times`]),
  ];
  return judge(
    'entry',
    faults,
    'on the list, once',
    'Check that the site was built for this project (PUBLIC_SUPABASE_URL), and that its migrations are up to date.',
  );
}

/** Checks that the welcome left the outbox. */
export async function checkWelcome(wait: Wait): Promise<Finding> {
  const { state, problem, ahead, held_up_by } = await wait((seen) => seen.state !== 'waiting');
  if (state === 'sent') return pass('welcome', 'the provider accepted it');
  if (state === null)
    return fail(
      'welcome',
      'the outbox does not hold it',
      'Check that the form leads to the project of PUBLIC_SUPABASE_URL.',
    );
  const cause = problem ?? held_up_by;
  // Resend's codes for a used-up plan: https://resend.com/docs/api-reference/errors
  if (state === 'waiting' && cause && /(daily|monthly)_quota_exceeded/.test(cause))
    return warn(
      'welcome',
      `waits until the provider accepts more messages: ${cause}`,
      'All welcomes are sent later, in order. A larger plan at Resend sends them sooner.',
    );
  if (state === 'waiting' && !cause && ahead)
    return warn('welcome', `waits behind ${ahead} others`, 'Probe again when they are sent.');
  return fail(
    'welcome',
    cause ? `${state}: ${cause}` : state,
    'Check RESEND_API_KEY, PUBLIC_EMAIL_SENDER and the domain of the sender at Resend, and the log of the function resend-email.',
  );
}

/** Checks that the provider reported the delivery. Without the webhook, nobody learns about bounces. */
export async function checkDelivery(
  { apiUrl, hasWebhook }: Target,
  wait: Wait,
  signal: AbortSignal,
): Promise<Finding> {
  // An unsigned call: 401, or 503 with the code "misconfigured" while RESEND_WEBHOOK_SECRET is not set.
  const response = await fetch(new URL('/functions/v1/delivery-events', apiUrl), {
    method: 'POST',
    body: '{}',
    signal,
  });
  const code = await readErrorCode(response);
  if (response.ok)
    return fail('delivery', 'delivery-events accepts unsigned calls', 'Deploy the functions again.');
  if (response.status === 503 && code === 'misconfigured' && !hasWebhook)
    return warn(
      'delivery',
      'unknown: the webhook is not set up, so bounces stay unknown',
      'Set up the webhook at Resend (docs/deploy.md).',
    );
  if (response.status !== 401) {
    return fail(
      'delivery',
      `delivery-events answers ${response.status}`,
      'Deploy again with RESEND_WEBHOOK_SECRET, and read the log of delivery-events at Supabase.',
    );
  }
  const { is_delivered, return_kind } = await wait((seen) => seen.is_delivered || seen.return_kind !== null);
  if (return_kind) return fail('delivery', `the welcome ${return_kind}`, 'Find the message at Resend.');
  if (is_delivered) return pass('delivery', 'the provider reports that the welcome arrived');
  return fail(
    'delivery',
    'the provider has not reported it',
    'Check at Resend whether the message arrived, and whether a webhook for email.delivered leads to delivery-events and has the signing secret RESEND_WEBHOOK_SECRET.',
  );
}

async function readErrorCode(response: Response): Promise<string | undefined> {
  try {
    return ((await response.json()) as { error?: { code?: string } }).error?.code;
  } catch {
    return undefined;
  }
}

/** Checks that the function tells callers apart, and not by headers that they can forge. */
export function checkCallers(
  { calls, callers, unseen, others, others_alike }: Inspection,
  { isLocal, hasCallerHeader }: Target,
): Finding {
  const todo =
    'Set CALLER_HEADER to the header in which the platform reports the caller (docs/deploy.md, “When it is live”), or remove it, and deploy again.';
  if (calls === 0)
    return fail(
      'callers',
      'the call was not counted',
      'Deploy again, which brings the migrations up to date.',
    );
  if (callers === 0) {
    const found = 'the function does not see who calls, so callers are not limited';
    return hasCallerHeader ? fail('callers', found, todo) : warn('callers', found, todo);
  }
  if (callers > 1 || unseen > 0)
    return fail('callers', 'the function believes a header that a caller can forge', todo);
  // More addresses than one household signs up in an hour.
  const isComparable = !isLocal && others >= 5;
  if (isComparable && others_alike === others) {
    return fail('callers', `${others} other addresses of the last hour seem to come from one caller`, todo);
  }
  return pass(
    'callers',
    isComparable
      ? `seen, not forgeable, and told apart: ${others_alike} of ${others} others look the same`
      : 'seen and not forgeable; too few others to compare with',
  );
}
