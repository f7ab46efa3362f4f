import { fail, type Finding, judge, pass } from './finding.ts';
import type { LiveForm } from './pages.ts';
import type { Target } from './target.ts';

/** Checks that the public key can only join. It tries to change and delete only the probe's own entry. */
export async function checkPublicKey(
  { apiUrl }: Target,
  { publicKey }: LiveForm,
  email: string,
  signal: AbortSignal,
): Promise<Finding> {
  const own = `waitlist_emails?email=eq.${encodeURIComponent(email)}`;
  const attempts: [what: string, method: string, path: string, body?: object][] = [
    ['delete an entry', 'DELETE', own],
    ['change an entry', 'PATCH', own, { source: 'landing_page' }],
    ['read the list', 'GET', 'waitlist_emails?select=email&limit=1'],
    ['look into the outbox', 'POST', 'rpc/inspect_sign_up', { email }],
    ['lease a welcome', 'POST', 'rpc/lease_delivery', {}],
  ];
  const faults: string[] = [];
  for (const [what, method, path, body] of attempts) {
    const response = await fetch(new URL(`/rest/v1/${path}`, apiUrl), {
      method,
      headers: { apikey: publicKey, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      signal,
    });
    await response.body?.cancel();
    if (response.ok) faults.push(`it can ${what}`);
  }
  return judge(
    'public key',
    faults,
    'can join, and nothing else',
    'Deploy again, which brings the migrations up to date, and find out who changed grants or policies.',
  );
}

/** Checks that only pages of the site may call the function. */
export async function checkCors(
  { siteUrl }: Target,
  { functionUrl }: LiveForm,
  signal: AbortSignal,
): Promise<Finding> {
  const readAllowed = async (origin: string) => {
    const headers = {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'apikey, authorization, content-type',
    };
    const response = await fetch(functionUrl, { method: 'OPTIONS', headers, signal });
    await response.body?.cancel();
    return response.headers.get('access-control-allow-origin');
  };
  const own = await readAllowed(siteUrl);
  const foreign = await readAllowed('https://elsewhere.example');
  const faults = [
    ...(own === siteUrl ? [] : [`the function refuses calls from ${siteUrl}`]),
    ...(foreign === null || foreign === siteUrl ? [] : ['the function accepts calls from any site']),
  ];
  return judge(
    'cors',
    faults,
    `open to ${siteUrl} only`,
    'Set PUBLIC_SITE_URL to the URL of the site, and deploy again.',
  );
}

/**
 * Checks that nobody can sign up as a user of the project's Auth service, which could also send mail to anybody.
 *
 * Auth answers `/settings` to the public key: https://github.com/supabase/auth `internal/api/settings.go`. The local stack has
 * no Auth.
 */
export async function checkAuth(
  { apiUrl }: Target,
  { publicKey }: LiveForm,
  signal: AbortSignal,
): Promise<Finding> {
  const response = await fetch(new URL('/auth/v1/settings', apiUrl), {
    headers: { apikey: publicKey },
    signal,
  });
  if (response.status === 404) {
    await response.body?.cancel();
    return pass('auth', 'the project has no Auth service');
  }
  const todo = 'Switch off Authentication, Sign In / Providers, Allow new users to sign up, at Supabase.';
  if (!response.ok) return fail('auth', `the Auth service answers ${response.status}`, todo);
  const { disable_signup: isOff } = (await response.json()) as { disable_signup?: boolean };
  return isOff === true
    ? pass('auth', 'nobody can create a user')
    : fail('auth', 'anybody can create a user of the project', todo);
}
