import { parseEmailAddress } from '../email-address.ts';
import { answer, describe, lead, readBody, readType, makeRefuse } from '../http.ts';

/** What the handler asks of the world. */
export interface Services {
  siteOrigins: [string, ...string[]];
  publicKeys: string[];
  /**
   * Accepts an address: from then on it is on the waitlist and its welcome will go out, once. Resolves alike for a
   * new and a known address, or to the seconds until a limit is free again. Rejects when the database is not there.
   */
  accept(address: string, request: Request): Promise<'accepted' | { retryAfter: number }>;
  /** Sends what waits in the outbox. */
  deliver(): Promise<void>;
  /** Lets work go on after the answer. */
  inBackground(work: Promise<unknown>): void;
  /** Writes a line to the log. Lines never hold an address. */
  log(line: string): void;
}

const refuse = makeRefuse({
  method_not_allowed: [405, 'Use POST.'],
  unsupported_type: [415, 'Send the body as application/json.'],
  body_too_large: [413, 'Send a body of at most 128 KB.'],
  invalid_json: [400, 'Send a JSON object.'],
  invalid_key: [401, 'Send the publishable key of this project in the apikey header.'],
  invalid_address: [422, 'Send one e-mail address such as name@example.com as "to".'],
  too_many_requests: [429, 'Too many sign-ups. Try again after the seconds in the Retry-After header.'],
  unavailable: [503, 'The waitlist cannot be reached. Try again in a minute.'],
});

/** Parts of the landing page that speak to a visitor whose form was sent without JavaScript. */
const landings = {
  accepted: '/#joined',
  invalid_address: '/#address-refused',
  too_many_requests: '/#try-later',
  invalid_key: '/#not-joined',
  unavailable: '/#not-joined',
  body_too_large: '/#not-joined',
} as const;

type Outcome = keyof typeof landings;

/**
 * Answers one call of the e-mail function: a JSON call of the page, or the page's own form where no script runs.
 *
 * What goes out is this deployment's own sender, subject and template. The caller's `from`, `subject` and `html` are
 * neither used nor checked, since a tab that is older than the last deployment must get in too. Never throws.
 */
export async function handleSignUp(request: Request, services: Services): Promise<Response> {
  const { siteOrigins } = services;
  if (request.method === 'OPTIONS') return answer(request, siteOrigins, 204);
  if (request.method !== 'POST')
    return refuse(request, services, 'method_not_allowed', { Allow: 'POST, OPTIONS' });
  if (new URL(request.url).pathname.endsWith('/deliver')) return handleDelivery(request, services);
  const type = readType(request);
  if (type === 'application/json') return handleCall(request, services);
  if (type === 'application/x-www-form-urlencoded') return handleForm(request, services);
  return refuse(request, services, 'unsupported_type');
}

async function handleCall(request: Request, services: Services): Promise<Response> {
  if (!hasKey(request.headers.get('apikey'), services)) return refuse(request, services, 'invalid_key');
  const body = await readBody(request);
  if (body === undefined) return refuse(request, services, 'body_too_large');
  const call = parseObject(body);
  if (call === undefined) return refuse(request, services, 'invalid_json');
  const { outcome, retryAfter } = await signUp(call['to'], request, services);
  if (outcome === 'accepted') return answer(request, services.siteOrigins, 200, { accepted: true });
  return refuse(request, services, outcome, retryAfter ? { 'Retry-After': String(retryAfter) } : {});
}

async function handleForm(request: Request, services: Services): Promise<Response> {
  const go = (outcome: Outcome) => lead(request, services.siteOrigins, landings[outcome]);
  const body = await readBody(request);
  if (body === undefined) return go('body_too_large');
  const fields = new URLSearchParams(body);
  if (!hasKey(fields.get('apikey'), services)) return go('invalid_key');
  return go((await signUp(fields.get('email_address'), request, services)).outcome);
}

/** Lets a clock set off what still waits. Anyone with the public key may: it sends nothing that was not accepted. */
function handleDelivery(request: Request, services: Services): Response {
  if (!hasKey(request.headers.get('apikey'), services)) return refuse(request, services, 'invalid_key');
  services.inBackground(services.deliver());
  return answer(request, services.siteOrigins, 202, { delivering: true });
}

async function signUp(
  typed: unknown,
  request: Request,
  services: Services,
): Promise<{
  outcome: 'accepted' | 'invalid_address' | 'too_many_requests' | 'unavailable';
  retryAfter?: number;
}> {
  const address = parseEmailAddress(typed);
  if (address === undefined) return { outcome: 'invalid_address' };
  try {
    const accepted = await services.accept(address, request);
    if (accepted !== 'accepted') return { outcome: 'too_many_requests', retryAfter: accepted.retryAfter };
  } catch (error) {
    services.log(`sign-up not accepted: ${describe(error)}`);
    return { outcome: 'unavailable' };
  }
  services.inBackground(services.deliver());
  return { outcome: 'accepted' };
}

function hasKey(key: string | null, { publicKeys }: Services): boolean {
  return key !== null && publicKeys.includes(key);
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
