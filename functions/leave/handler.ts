import { readBody } from '../../ground/read-body.ts';
import { answer, describe, lead, readType, makeRefuse } from '../http.ts';

/** The services that the handler uses. */
export interface Services {
  siteOrigins: [string, ...string[]];
  /**
   * Removes the member with this token from the list and the outbox. Resolves to whether the token belongs to a member, or did
   * until a moment ago. Rejects when the database cannot be reached.
   */
  leave(token: string): Promise<boolean>;
  /** Writes a line to the log. Lines never contain an email address. */
  log(line: string): void;
}

export const refusals = {
  method_not_allowed: [405, 'Use POST.'],
  body_too_large: [413, 'Send a body of at most 128 KB.'],
  invalid_token: [400, 'Use the exact link from the latest message, or write to us.'],
  unavailable: [503, 'The waitlist cannot be reached. Try again in a minute.'],
} as const;

const refuse = makeRefuse(refusals);

/**
 * Answers a call that unsubscribes somebody: the one click of a mail client (RFC 8058) or the button of the site's own
 * page. A GET changes nothing, because link scanners follow every link. Never throws.
 */
export async function handleLeave(request: Request, services: Services): Promise<Response> {
  const { siteOrigins } = services;
  const inUrl = new URL(request.url).searchParams.get('token') ?? '';
  if (request.method === 'GET' || request.method === 'HEAD') {
    // After the #, where no server or log sees it.
    return lead(request, siteOrigins, `/leave#${encodeURIComponent(inUrl)}`);
  }
  if (request.method !== 'POST')
    return refuse(request, services, 'method_not_allowed', { Allow: 'GET, POST' });
  const body = await readBody(request);
  if (body === undefined) return refuse(request, services, 'body_too_large');
  const fields = new URLSearchParams(readType(request) === 'application/x-www-form-urlencoded' ? body : '');
  const isPage = fields.has('token');
  const outcome = await leave(fields.get('token') ?? inUrl, services);
  if (isPage) return lead(request, siteOrigins, outcome === 'left' ? '/leave#left' : '/leave#not-left');
  return outcome === 'left'
    ? answer(request, siteOrigins, 200, { left: true })
    : refuse(request, services, outcome);
}

async function leave(token: string, services: Services): Promise<'left' | 'invalid_token' | 'unavailable'> {
  try {
    return (await services.leave(token)) ? 'left' : 'invalid_token';
  } catch (error) {
    services.log(`unsubscribe failed: ${describe(error)}`);
    return 'unavailable';
  }
}
