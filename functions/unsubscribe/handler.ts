import { readBody, readType } from '../_shared/read-body.ts';
import { answer, describeError, redirect, refuse } from '../_shared/http.ts';

export interface Services {
  siteOrigins: [string, ...string[]];
  /**
   * Removes the mailbox with this token from the list and the outbox. Resolves to `unsubscribed` if it belongs to a member, or did
   * in the last 30 days, to `unknown` if it belongs to nobody now, and to `malformed` if none of our secrets signed it. Rejects when
   * the database cannot be reached.
   */
  unsubscribe(token: string): Promise<'unsubscribed' | 'unknown' | 'malformed'>;
}

/**
 * Answers a call that unsubscribes somebody: the one click of a mail client (RFC 8058) or the button of the site's own
 * page. A GET changes nothing, because link scanners follow every link. Never throws.
 */
export async function handleUnsubscribe(request: Request, services: Services): Promise<Response> {
  const { siteOrigins } = services;
  const inUrl = new URL(request.url).searchParams.get('token') ?? '';
  if (request.method === 'GET' || request.method === 'HEAD') {
    // After the #, where no server or log sees it.
    return redirect(request, siteOrigins, `/unsubscribe#${encodeURIComponent(inUrl)}`);
  }
  if (request.method !== 'POST')
    return refuse(request, siteOrigins, 'method_not_allowed', { Allow: 'GET, POST' });
  const body = await readBody(request);
  if (body === undefined) return refuse(request, siteOrigins, 'body_too_large');
  const fields = new URLSearchParams(readType(request) === 'application/x-www-form-urlencoded' ? body : '');
  const outcome = await services.unsubscribe(fields.get('token') ?? inUrl).catch((error: unknown) => {
    console.error(`unsubscribe failed: ${describeError(error)}`);
    return 'unavailable' as const;
  });
  const result = outcome === 'unsubscribed' ? 'unsubscribed' : 'not-unsubscribed';
  if (fields.has('token')) return redirect(request, siteOrigins, `/unsubscribe#${result}`);
  if (outcome === 'unavailable') return refuse(request, siteOrigins, 'unavailable');
  if (outcome === 'malformed') return refuse(request, siteOrigins, 'invalid_token');
  // A mail program may repeat the call years later. Nobody with this token is on the list, which is what it asks for, and an
  // error would count as a broken unsubscribe link.
  return answer(request, siteOrigins, 200, { unsubscribed: outcome === 'unsubscribed' });
}
