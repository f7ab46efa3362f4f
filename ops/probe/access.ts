import { sourceTag } from '../../src/config/site.ts';
import { fail, type Result, judge, pass } from './finding.ts';
import type { LiveForm } from './site.ts';
import type { Target } from './target.ts';

/** Checks that the function of the unsubscribe links runs: it refuses a call without a token, which changes nothing. */
export async function checkUnsubscribe({ apiUrl }: Target, signal: AbortSignal): Promise<Result> {
  const { status } = await fetch(new URL('/functions/v1/unsubscribe', apiUrl), { method: 'POST', signal });
  if (status === 400) return pass('the function runs');
  return fail(
    `the function answers ${status} instead of 400`,
    'Nobody can leave with one click: deploy again, or read the log of the function unsubscribe at Supabase.',
  );
}

/** Inserts the entry as the page does, then tries what the public key must not do, with the probe's own entry. */
export async function checkPublicKey(
  { apiUrl }: Target,
  { publicKey }: LiveForm,
  email: string,
  signal: AbortSignal,
): Promise<Result> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(new URL(`/rest/v1/${path}`, apiUrl), {
      method,
      headers: { apikey: publicKey, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      signal,
    });
    await response.body?.cancel();
    return response;
  };
  const entry = { email, created_at: new Date().toISOString(), source: sourceTag };
  const { status } = await call('POST', 'waitlist_emails', [entry]);
  const faults =
    status === 201 ? [] : [`it cannot join: the database answers the page’s insert with ${status}`];
  const own = `waitlist_emails?email=eq.${encodeURIComponent(email)}`;
  const attempts: [what: string, method: string, path: string, body?: object][] = [
    ['delete an entry', 'DELETE', own],
    ['change an entry', 'PATCH', own, { source: sourceTag }],
    ['read the list', 'GET', 'waitlist_emails?select=email&limit=1'],
    ['look up a member', 'POST', 'rpc/find_member', { email }],
    ['lease a welcome', 'GET', 'rpc/lease_delivery'],
  ];
  for (const [what, ...attempt] of attempts) {
    const { ok, status } = await call(...attempt);
    // GET may only read, so it answers 405 instead of leasing: https://docs.postgrest.org/en/v12/references/transactions.html
    if (ok || status === 405) faults.push(`it can ${what}`);
  }
  return judge(
    faults,
    'can join, and nothing else',
    'Deploy again to apply the migrations, and find out who changed grants or policies.',
  );
}

/**
 * Checks that nobody can create a user of the project, which could send mail to anybody. The local stack has no Auth service.
 * `/settings` answers the public key: https://github.com/supabase/auth `internal/api/settings.go`.
 */
export async function checkAuth({ apiUrl }: Target, { publicKey }: LiveForm, signal: AbortSignal) {
  const settings = new URL('/auth/v1/settings', apiUrl);
  const response = await fetch(settings, { headers: { apikey: publicKey }, signal });
  const { disable_signup: isOff } = (await response.json().catch(() => ({}))) as { disable_signup?: boolean };
  if (response.status === 404 || isOff === true) return pass('nobody can create a user');
  return fail(
    `Supabase does not confirm that sign-ups of users are off (${response.status})`,
    'At Supabase, under Authentication, Sign In / Providers, switch off "Allow new users to sign up".',
  );
}
