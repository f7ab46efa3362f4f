import { answer, describe, lead, readBody, readType, makeRefuse } from '../http.ts';

/** What the handler asks of the world. */
export interface Services {
  siteOrigins: [string, ...string[]];
  /** Reads whose token it is; `undefined` when it is nobody's. */
  readToken(token: string): Promise<string | undefined>;
  /** Removes an address from list and outbox, whether it was there or not. Rejects when the database is not there. */
  leave(address: string): Promise<void>;
  /** Writes a line to the log. Lines never hold an address. */
  log(line: string): void;
}

const refuse = makeRefuse({
  method_not_allowed: [405, 'Use POST.'],
  body_too_large: [413, 'Send a body of at most 128 KB.'],
  invalid_token: [400, 'Use the address from the message as it is, or write to us.'],
  unavailable: [503, 'The waitlist cannot be reached. Try again in a minute.'],
});

/**
 * Answers one call of those who leave: the one click of a mail client (RFC 8058), the button of the site's own page,
 * or a GET, which changes nothing, since link scanners follow every link. Never throws.
 */
export async function handleLeave(request: Request, services: Services): Promise<Response> {
  const { siteOrigins } = services;
  const inAddress = new URL(request.url).searchParams.get('token') ?? '';
  if (request.method === 'GET' || request.method === 'HEAD') {
    // Behind the #, where no server and no log sees it.
    return lead(request, siteOrigins, `/leave#${encodeURIComponent(inAddress)}`);
  }
  if (request.method !== 'POST')
    return refuse(request, services, 'method_not_allowed', { Allow: 'GET, POST' });
  const body = await readBody(request);
  if (body === undefined) return refuse(request, services, 'body_too_large');
  const fields = new URLSearchParams(readType(request) === 'application/x-www-form-urlencoded' ? body : '');
  const isPage = fields.has('token');
  const outcome = await leave(fields.get('token') ?? inAddress, services);
  if (isPage) return lead(request, siteOrigins, outcome === 'left' ? '/leave#left' : '/leave#not-left');
  return outcome === 'left'
    ? answer(request, siteOrigins, 200, { left: true })
    : refuse(request, services, outcome);
}

async function leave(token: string, services: Services): Promise<'left' | 'invalid_token' | 'unavailable'> {
  const address = await services.readToken(token);
  if (address === undefined) return 'invalid_token';
  try {
    await services.leave(address);
    return 'left';
  } catch (error) {
    services.log(`not left: ${describe(error)}`);
    return 'unavailable';
  }
}
