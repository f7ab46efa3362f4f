import { formatCount } from '../output.ts';
import { advise, type Story, type Summary } from '../report.ts';
import { fail, type Result, pass, warn } from './finding.ts';
import type { LiveForm } from './site.ts';
import type { Target } from './target.ts';

/** Reads the story of the probe's member until the condition holds or the time is up. Resolves to the last one. */
export type Wait = (isEnough: (story: Story) => boolean) => Promise<Story | null>;

/** Signs up an address as the page does, and checks that the page could read the answer. */
export async function checkSignUp(
  { siteUrl }: Target,
  { functionUrl, publicKey }: LiveForm,
  email: string,
  signal: AbortSignal,
): Promise<Result> {
  const response = await fetch(functionUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${publicKey}`,
      apikey: publicKey,
      Origin: siteUrl,
    },
    body: JSON.stringify({ to: email }),
    signal,
  });
  const text = (await response.text()).slice(0, 200);
  if (text.includes('"sign_ups_closed"'))
    return warn('sign-ups are closed', '"limits set sign_ups 1" opens them.');
  if (!response.ok)
    return fail(
      `the function answers ${response.status} ${text}`,
      'Read the log of the function resend-email at Supabase.',
    );
  if (response.headers.get('access-control-allow-origin') !== siteUrl)
    return fail(
      `the function refuses calls from ${siteUrl}`,
      'Set PUBLIC_SITE_URL to the URL of the site, and deploy again.',
    );
  return pass(`the function accepted ${email}`);
}

/** Checks that nothing holds up visitors or members. Reaching a limit is not a failure. */
export function checkDatabase(summary: Summary): Result {
  const stopped = summary.announcements.filter(({ stopped_because }) => stopped_because !== null);
  // What the owner has stopped is not a problem. The checks "welcome" and "callers" report a pause and unknown callers.
  const others = { is_closed: false, paused_until: null, unknown_callers: 0, announcements: stopped };
  const troubles = advise({ ...summary, ...others });
  if (troubles.length > 0) return fail(troubles.join(' '), '');
  if (summary.refused_today > 0)
    return warn(
      `over a limit today: ${formatCount(summary.refused_today, 'sign-up')}`,
      'If the rush is honest, or many people share an address, raise the limit: see "limits".',
    );
  return pass('reachable with the secret key, and nothing slows down deliveries');
}

/** Waits until the welcome is sent. One that only waits for others, or for the quota of another day, is a warning. */
export async function checkWelcome(wait: Wait, summarize: () => Promise<Summary>): Promise<Result> {
  const story = await wait(({ messages: [welcome] }) => welcome?.state !== 'waiting');
  if (!story)
    return fail('the member is not on the list', 'Read the log of the function resend-email at Supabase.');
  const { state, problem } = story.messages[0]!;
  if (state === 'sent') return pass('the provider accepted it');
  const summary = await summarize();
  const cause = problem ?? (summary.paused_until && summary.problem);
  const found = `${state}${cause ? `: ${cause}` : ''}`;
  // Resend's codes for a used-up plan: https://resend.com/docs/api-reference/errors
  if (state === 'waiting' && (cause ? /(daily|monthly)_quota_exceeded/.test(cause) : summary.ahead > 1))
    return warn(
      `${found}, ${summary.ahead} waiting in all`,
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
  const listReports = ({ history }: Story) =>
    history.map(({ what }) => what).filter((what) => /^welcome (?!sent$)/.test(what));
  const story = await wait((seen) => listReports(seen).length > 0);
  const reports = story ? listReports(story) : [];
  if (reports.length > 0 && reports.every((report) => report === 'welcome delivered'))
    return pass('the provider reports that the welcome arrived');
  return fail(
    `the provider reports: ${reports.join(', ') || 'nothing'}`,
    'Find the message at Resend. Check that a webhook for email.delivered calls delivery-events and has the signing secret RESEND_WEBHOOK_SECRET, and read the log of delivery-events at Supabase.',
  );
}
