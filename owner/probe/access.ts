import { type Finding, judge } from './finding.ts';
import type { LiveForm } from './pages.ts';
import type { Target } from './target.ts';

/**
 * Checks that the public key opens nothing but the door to join.
 *
 * Changing and deleting is tried on the probe's own entry: were it allowed, nobody else would be harmed.
 */
export async function checkPublicKey(
  { apiUrl }: Target,
  { publicKey }: LiveForm,
  address: string,
  signal: AbortSignal,
): Promise<Finding> {
  const own = `waitlist_emails?email=eq.${encodeURIComponent(address)}`;
  const attempts: [what: string, method: string, path: string, body?: object][] = [
    ['delete an entry', 'DELETE', own],
    ['change an entry', 'PATCH', own, { source: 'landing_page' }],
    ['read the list', 'GET', 'waitlist_emails?select=email&limit=1'],
    ['look into the outbox', 'POST', 'rpc/inspect_sign_up', { address }],
    ['lease a welcome', 'POST', 'rpc/lease_welcome', {}],
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
    if (response.ok) faults.push(`it may ${what}`);
  }
  return judge(
    'public key',
    faults,
    'may join, and nothing else',
    'Bring the database to the newest migration, and look who changed grants or policies.',
  );
}

/** Checks that the function lets the pages of the site call it, and the pages of nobody else. */
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
    ...(own === siteUrl ? [] : [`the function does not let ${siteUrl} call it`]),
    ...(foreign === null || foreign === siteUrl ? [] : ['the function lets any site call it']),
  ];
  return judge(
    'cors',
    faults,
    `open to ${siteUrl} alone`,
    'Set the function secret SITE_URL to the address of the site, and deploy the functions again.',
  );
}
