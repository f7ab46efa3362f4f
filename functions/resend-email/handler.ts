import { parseEmailAddress } from '../../shared/email-address.ts';
import type { Config } from '../_shared/config.ts';
import { parseObject, readBody, readType } from '../_shared/read-body.ts';
import { answer, describeError, findSiteOrigin, redirect, refuse } from '../_shared/http.ts';
import { readCaller } from './caller.ts';

export interface Services extends Pick<Config, 'siteOrigins' | 'publicKeys' | 'secretKeys' | 'callerHeader'> {
  fingerprint: string;
  /**
   * Accepts an email address: from then on it is on the waitlist, and its welcome in the outbox. Resolves to `accepted`,
   * whether the address is new or known, or to the code of the refusal. Anything else is a broken answer of the database. Rejects
   * when the database cannot be reached.
   */
  accept(email: string, request: Request): Promise<unknown>;
  deliver(): Promise<void>;
  /** Lets work continue after the response. */
  inBackground(work: Promise<unknown>): void;
}

/** The sections of the landing page that a form without JavaScript is redirected to; for any other failure `#not-joined`. */
const sections: Record<string, string> = {
  accepted: 'joined',
  invalid_address: 'address-refused',
  sign_ups_closed: 'closed',
  too_many_requests: 'try-later',
};

type Respond = (request: Request, services: Services) => Response | Promise<Response>;

/** Routes a POST by the last part of its path, or else by the type of its body. */
const routes = new Map<string | undefined, Respond>([
  ['/caller', reportCaller],
  ['/deliver', startDelivery],
  ['application/json', signUpFromPage],
  ['application/x-www-form-urlencoded', signUpFromForm],
]);

/**
 * Answers a call of the email function: a sign-up from the page or its form, or a call of the clock or the owner.
 *
 * The message that goes out has this deployment's own sender, subject and template. The caller's `from`, `subject` and
 * `html` are neither used nor checked, because a tab that was opened before the last deployment must be able to sign up
 * too. Never throws.
 */
export async function handleSignUp(request: Request, services: Services): Promise<Response> {
  const { siteOrigins } = services;
  if (request.method === 'OPTIONS') return answer(request, siteOrigins, 204);
  if (request.method !== 'POST')
    return refuse(request, siteOrigins, 'method_not_allowed', { Allow: 'POST, OPTIONS' });
  const name = new URL(request.url).pathname.split('/').at(-1);
  const respond = routes.get(`/${name}`) ?? routes.get(readType(request));
  return respond ? respond(request, services) : refuse(request, siteOrigins, 'unsupported_type');
}

async function signUpFromPage(request: Request, services: Services): Promise<Response> {
  const { siteOrigins } = services;
  // Also keeps other sites out: before a browser sends this header, it asks with OPTIONS, and only the site's origins
  // are allowed.
  if (!hasKey(request.headers.get('apikey'), services)) return refuse(request, siteOrigins, 'invalid_key');
  const body = await readBody(request);
  if (body === undefined) return refuse(request, siteOrigins, 'body_too_large');
  const call = parseObject(body);
  if (call === undefined) return refuse(request, siteOrigins, 'invalid_json');
  const outcome = await signUp(call['to'], request, services);
  if (outcome === 'accepted') return answer(request, siteOrigins, 200, { accepted: true });
  return refuse(request, siteOrigins, outcome);
}

async function signUpFromForm(request: Request, services: Services): Promise<Response> {
  const { siteOrigins } = services;
  const go = (outcome: string) => redirect(request, siteOrigins, `/#${sections[outcome] ?? 'not-joined'}`);
  // A page of another site must not sign up its visitors. `null` counts as one: any page can hide its origin. A form without the
  // header is accepted: no page can make a browser omit it, so it comes from a program, which can send any origin, or from a
  // browser older than 2020. Sec-Fetch-Site would tell us no more: at supabase.co, every site's form is cross-site.
  if (request.headers.has('origin') && !findSiteOrigin(request, siteOrigins)) return go('foreign_origin');
  const body = await readBody(request);
  if (body === undefined) return go('body_too_large');
  const fields = new URLSearchParams(body);
  if (!hasKey(fields.get('apikey'), services)) return go('invalid_key');
  return go(await signUp(fields.get('email_address'), request, services));
}

/** Lets a clock start a delivery. Anyone with the public key may do this: it sends only what was accepted. */
function startDelivery(request: Request, services: Services): Response {
  if (!hasKey(request.headers.get('apikey'), services))
    return refuse(request, services.siteOrigins, 'invalid_key');
  services.inBackground(services.deliver());
  return answer(request, services.siteOrigins, 202, { delivering: true });
}

/**
 * Reports to the owner which headers of this very call contain an IP address, and the caller that the function would read from
 * each. No document says which header the platform sets. A deployment finds out with calls that forge them. The fingerprint tells
 * a probe whether this function makes the same hashes as those in the database.
 */
function reportCaller(request: Request, services: Services): Response {
  const { siteOrigins, secretKeys, callerHeader, fingerprint } = services;
  if (!secretKeys.includes(request.headers.get('apikey') ?? ''))
    return refuse(request, siteOrigins, 'invalid_key');
  const callers = [...request.headers.keys()].flatMap((name) => {
    // On a developer's machine, the host is an address.
    const seen = name === 'host' ? undefined : readCaller(request.headers, name);
    return seen ? [[name, seen]] : [];
  });
  const header = callerHeader?.toLowerCase() ?? null;
  const report = { header, callers: Object.fromEntries(callers) as object, fingerprint };
  return answer(request, siteOrigins, 200, report);
}

async function signUp(typed: unknown, request: Request, services: Services) {
  const email = parseEmailAddress(typed);
  if (email === undefined) return 'invalid_address';
  try {
    const outcome = await services.accept(email, request);
    if (outcome === 'sign_ups_closed' || outcome === 'too_many_requests') return outcome;
    if (outcome !== 'accepted') throw new Error('accept_sign_up: unknown answer');
  } catch (error) {
    console.error(`sign-up not accepted: ${describeError(error)}`);
    return 'unavailable';
  }
  services.inBackground(services.deliver());
  return 'accepted';
}

function hasKey(key: string | null, { publicKeys }: Services): boolean {
  return key !== null && publicKeys.includes(key);
}
