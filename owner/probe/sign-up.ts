import { signUp } from '../../src/site.ts';
import { fail, type Finding, judge, pass } from './finding.ts';
import type { LiveForm } from './pages.ts';
import type { Target } from './target.ts';

/** What the database tells of one sign-up. */
export interface Inspection {
  entries: number;
  state: 'waiting' | 'sent' | 'refused' | 'unknown' | null;
  problem: string | null;
  is_delivered: boolean;
  return_kind: string | null;
  /** Calls of the sign-up function with this address, from how many callers, and how many calls from nobody known. */
  calls: number;
  callers: number;
  unseen: number;
  /** Other addresses of the last hour, and how many of them came from the same caller. */
  others: number;
  others_alike: number;
  limits: Record<string, number>;
}

type Inspect = () => Promise<Inspection>;

/** Looks until what is seen is enough or the time is up; resolves to what was seen last. */
export type Wait = (isEnough: (seen: Inspection) => boolean) => Promise<Inspection>;

/** Headers by which a caller may try to pass for another. */
const forged = Object.fromEntries(
  ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP'].map((name) => [name, '203.0.113.7']),
);

/** Signs the address up like the page does, once as it is and once in the name of another caller. */
export async function checkSignUp(
  { siteUrl }: Target,
  { functionUrl, publicKey }: LiveForm,
  address: string,
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
      body: JSON.stringify({ to: address, subject: signUp.subject }),
      signal,
    });
  const response = await call({});
  const text = (await response.text()).slice(0, 200);
  if (response.status === 429) {
    const seconds = response.headers.get('retry-after');
    return fail(
      'sign-up',
      `over a limit, free again in ${seconds} s`,
      'Probe again then, or raise the limit that is hit.',
    );
  }
  if (!response.ok)
    return fail(
      'sign-up',
      `the function answers ${response.status} ${text}`,
      'Look into the log of the function resend-email at Supabase.',
    );
  // Whether it is believed shows in the database; a platform that refuses it is as good.
  await (await call(forged)).body?.cancel();
  return pass('sign-up', `the function took ${address}`);
}

/** Inserts the entry like the page does, and checks that the list has it once. */
export async function checkEntry(
  { apiUrl }: Target,
  { publicKey }: LiveForm,
  address: string,
  inspect: Inspect,
  signal: AbortSignal,
): Promise<Finding> {
  const response = await fetch(new URL('/rest/v1/waitlist_emails', apiUrl), {
    method: 'POST',
    headers: { apikey: publicKey, 'Content-Type': 'application/json' },
    body: JSON.stringify([{ email: address, created_at: new Date().toISOString(), source: signUp.source }]),
    signal,
  });
  await response.body?.cancel();
  const { entries } = await inspect();
  const faults = [
    ...(response.status === 201 ? [] : [`the insert of the page is answered with ${response.status}`]),
    ...(entries === 1 ? [] : [`the list has the address ${entries} times`]),
  ];
  return judge(
    'entry',
    faults,
    'on the list, once',
    'See that the page belongs to this project (PUBLIC_SUPABASE_URL), and that its migrations are up to date.',
  );
}

/** Checks that the welcome left the outbox. */
export async function checkWelcome(wait: Wait): Promise<Finding> {
  const { state, problem } = await wait(({ state }) => state !== 'waiting');
  if (state === 'sent') return pass('welcome', 'handed to the provider');
  if (state === null)
    return fail('welcome', 'nothing in the outbox', 'See that form and SUPABASE_URL belong to one project.');
  return fail(
    'welcome',
    `${state}${problem ? `: ${problem}` : ''}`,
    'Check RESEND_API_KEY, EMAIL_SENDER and the sender’s domain at Resend, and the log of the function resend-email.',
  );
}

/** Checks that the provider told of the delivery, where its webhook is switched on: which `isExpected` says for sure. */
export async function checkDelivery(
  { apiUrl }: Target,
  wait: Wait,
  isExpected: boolean,
  signal: AbortSignal,
): Promise<Finding> {
  // It asks everybody for a signature; without its secret it does not even start.
  const response = await fetch(new URL('/functions/v1/delivery-events', apiUrl), {
    method: 'POST',
    body: '{}',
    signal,
  });
  await response.body?.cancel();
  if (response.ok)
    return fail('delivery', 'delivery-events takes calls that nobody signed', 'Deploy the functions again.');
  if (response.status === 503 && !isExpected)
    return pass('delivery', 'not known: delivery-events does not start, so nobody tells of bounces');
  if (response.status !== 401) {
    return fail(
      'delivery',
      `delivery-events answers ${response.status}`,
      'Deploy the functions again, with RESEND_WEBHOOK_SECRET where the webhook is switched on, and look into the log of delivery-events at Supabase.',
    );
  }
  const { is_delivered, return_kind } = await wait((seen) => seen.is_delivered || seen.return_kind !== null);
  if (return_kind) return fail('delivery', `the welcome ${return_kind}`, 'Look the message up at Resend.');
  if (is_delivered) return pass('delivery', 'the provider says that the welcome arrived');
  return fail(
    'delivery',
    'the provider has not told of it',
    'See at Resend whether the message arrived, and whether a webhook for email.delivered leads to delivery-events with the secret RESEND_WEBHOOK_SECRET.',
  );
}

/**
 * Checks that the function tells callers apart, and by nothing that they say themselves, where it is told who calls:
 * which `isExpected` says for sure.
 */
export function checkCallers(
  { calls, callers, unseen, others, others_alike }: Inspection,
  { isLocal }: Target,
  isExpected: boolean,
): Finding {
  const todo =
    'Set CALLER_HEADER to the header in which the platform itself tells who calls (docs/deploy.md, “When it is live”), or leave it out, and deploy again.';
  if (calls === 0)
    return fail('callers', 'no call was counted', 'Bring the database to the newest migration.');
  if (callers === 0) {
    return isExpected
      ? fail('callers', 'the function does not see who calls: callers are not limited', todo)
      : pass('callers', 'not known: callers are not limited');
  }
  if (callers > 1 || unseen > 0)
    return fail('callers', 'the function believes what a caller says of himself', todo);
  // Five are no household.
  if (!isLocal && others >= 5 && others_alike === others) {
    return fail(
      'callers',
      `${others} other addresses of the last hour look like one and the same caller`,
      todo,
    );
  }
  if (isLocal || others < 5) return pass('callers', 'seen, and not to be forged; nobody to compare with');
  return pass('callers', `seen, not to be forged, and told apart: ${others_alike} of ${others} others alike`);
}

/** What each limit may sensibly be: below, visitors are turned away; above, it limits nothing. */
const sane: Record<string, [least: number, most: number]> = {
  caller_addresses: [2, 1_000],
  mailbox_calls: [2, 100],
  addresses: [10, 100_000],
  deliveries: [1, 10],
};

/** Checks that every limit is there and neither shuts visitors out nor lets everything through. */
export function checkLimits({ limits }: Inspection): Finding {
  const faults = Object.entries(sane).flatMap(([name, [least, most]]) => {
    const value = limits[name];
    if (value === undefined) return [`${name} is missing`];
    return value < least || value > most ? [`${name} is ${value}, and not from ${least} to ${most}`] : [];
  });
  const shown = Object.keys(sane).map((name) => `${name} ${limits[name]}`);
  return judge(
    'limits',
    faults,
    shown.join(', '),
    'Set it with: npm run waitlist -- limits set <name> <value>',
  );
}
