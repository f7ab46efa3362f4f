import { parseEmailAddress } from '../email-address.ts';

/** What the handler asks of the world. */
export interface Services {
  siteOrigins: [string, ...string[]];
  publicKeys: string[];
  /** Sends the welcome e-mail. Rejects when the provider did not take it. */
  sendWelcome(address: string): Promise<void>;
  /** Puts the address on the waitlist. Rejects when the database did not take it. */
  saveEntry(address: string): Promise<void>;
  /** Writes a line to the log. Lines never hold an address. */
  log(line: string): void;
}

/** Every refusal has a stable code, a status and a sentence that says what to do. */
const refusals = {
  method_not_allowed: [405, 'Use POST.'],
  unsupported_type: [415, 'Send the body as application/json.'],
  body_too_large: [413, 'Send a body of at most 128 KB.'],
  invalid_json: [400, 'Send a JSON object.'],
  invalid_key: [401, 'Send the publishable key of this project in the apikey header.'],
  invalid_address: [422, 'Send one e-mail address such as name@example.com as "to".'],
  delivery_failed: [502, 'The welcome e-mail could not be sent. Try again in a minute.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

type Refusal = keyof typeof refusals;

/** Parts of the landing page that speak to a visitor whose form was sent without JavaScript. */
const landings = { joined: '/#joined', refused: '/#address-refused', failed: '/#not-joined' };

const LARGEST_BODY = 128 * 1024;

/**
 * Answers one call of the e-mail function: a JSON call of the page, or the page's own form where no script runs.
 *
 * What goes out is this function's own sender, subject and template. The caller's `from`, `subject` and `html`
 * are neither used nor checked, since a tab that is older than the last deployment must get in too. Never throws.
 */
export async function handleSignUp(request: Request, services: Services): Promise<Response> {
  if (request.method === 'OPTIONS') return answer(request, services, 204);
  if (request.method !== 'POST') return refuse(request, services, 'method_not_allowed');
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return handleCall(request, services);
  if (type === 'application/x-www-form-urlencoded') return handleForm(request, services);
  return refuse(request, services, 'unsupported_type');
}

async function handleCall(request: Request, services: Services): Promise<Response> {
  if (!services.publicKeys.includes(request.headers.get('apikey') ?? '')) {
    return refuse(request, services, 'invalid_key');
  }
  const body = await readBody(request);
  if (body === undefined) return refuse(request, services, 'body_too_large');
  const call = parseObject(body);
  if (call === undefined) return refuse(request, services, 'invalid_json');
  const address = parseEmailAddress(call['to']);
  if (address === undefined) return refuse(request, services, 'invalid_address');
  try {
    await services.sendWelcome(address);
  } catch (error) {
    services.log(`welcome not sent: ${describe(error)}`);
    return refuse(request, services, 'delivery_failed');
  }
  return answer(request, services, 200, { accepted: true });
}

async function handleForm(request: Request, services: Services): Promise<Response> {
  const body = await readBody(request);
  const fields = new URLSearchParams(body ?? '');
  const address = parseEmailAddress(fields.get('email_address'));
  if (!services.publicKeys.includes(fields.get('apikey') ?? '')) return lead(request, services, 'failed');
  if (address === undefined) return lead(request, services, 'refused');
  try {
    await services.sendWelcome(address);
    await services.saveEntry(address);
  } catch (error) {
    services.log(`sign-up by form failed: ${describe(error)}`);
    return lead(request, services, 'failed');
  }
  return lead(request, services, 'joined');
}

/** Reads the body as text; `undefined` when it is larger than the limit or breaks off. */
async function readBody(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length')) > LARGEST_BODY) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    // Stops early: a body without a declared length may be endless.
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > LARGEST_BODY) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    return undefined;
  }
  return text + decoder.decode();
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

function refuse(request: Request, services: Services, code: Refusal): Response {
  const [status, message] = refusals[code];
  return answer(request, services, status, { error: { code, message } });
}

function answer(request: Request, services: Services, status: number, body?: object): Response {
  const headers = new Headers({ 'Cache-Control': 'no-store', Vary: 'Origin' });
  const origin = request.headers.get('origin');
  if (origin !== null && services.siteOrigins.includes(origin)) {
    headers.set('Access-Control-Allow-Origin', origin);
    headers.set('Access-Control-Allow-Methods', 'POST, OPTIONS');
    headers.set('Access-Control-Allow-Headers', 'authorization, apikey, content-type');
    headers.set('Access-Control-Max-Age', '86400');
  }
  if (status === 405) headers.set('Allow', 'POST, OPTIONS');
  if (body === undefined) return new Response(null, { status, headers });
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(body), { status, headers });
}

/** Sends the visitor back to the site; only to the configured one, whatever the request claims. */
function lead(request: Request, services: Services, place: keyof typeof landings): Response {
  const claimed = request.headers.get('origin') ?? '';
  const origin = services.siteOrigins.includes(claimed) ? claimed : services.siteOrigins[0];
  const headers = { Location: origin + landings[place], 'Cache-Control': 'no-store', Vary: 'Origin' };
  return new Response(null, { status: 303, headers });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
