/** The errors of the functions, by their stable codes: the status, and what to do. */
export const refusals = {
  method_not_allowed: [405, 'Use POST.'],
  unsupported_type: [415, 'Send the body as application/json.'],
  body_too_large: [413, 'Send a body of at most 128 KB.'],
  invalid_json: [400, 'Send a JSON object.'],
  invalid_key: [401, 'Send the publishable key in the apikey header. /caller needs the secret key.'],
  invalid_address: [422, 'Send one email address, such as name@example.com, as "to".'],
  invalid_signature: [
    401,
    'Send the body and the svix-… headers as Resend signed them, within five minutes.',
  ],
  invalid_token: [400, 'Use the exact link from the latest message, or write to us.'],
  sign_ups_closed: [403, 'Sign-ups are closed.'],
  too_many_requests: [429, 'Too many sign-ups. Try again after the seconds in the Retry-After header.'],
  unavailable: [503, 'The database cannot be reached. Try again in a minute.'],
  misconfigured: [503, 'The function is not configured. Set what its log lists, and deploy it again.'],
} as const;

/**
 * Returns the origin of the site whose page sent the request; `undefined` for a page of another site. A page that was opened with
 * `http://`, or with a period after its host, is the site's own, too.
 */
export function findSiteOrigin({ headers }: Request, siteOrigins: readonly string[]): string | undefined {
  const origin = headers.get('origin')?.replace(/\.(?=(:\d+)?$)/, '');
  return siteOrigins.find((known) => known === origin || known === origin?.replace('http:', 'https:'));
}

/** Makes a JSON response that only pages of the site may read. */
export function answer(
  request: Request,
  siteOrigins: readonly string[],
  status: number,
  body?: object,
  more: Record<string, string> = {},
): Response {
  const headers = new Headers({ 'Cache-Control': 'no-store', Vary: 'Origin', ...more });
  if (findSiteOrigin(request, siteOrigins)) {
    headers.set('Access-Control-Allow-Origin', request.headers.get('origin')!);
    headers.set('Access-Control-Allow-Methods', 'POST, OPTIONS');
    headers.set('Access-Control-Allow-Headers', 'authorization, apikey, content-type');
    headers.set('Access-Control-Max-Age', '86400');
  }
  const init = { status, headers };
  return body ? Response.json(body, init) : new Response(null, init);
}

/** Redirects the visitor to a path of the site: always a configured origin, whatever the request claims. */
export function redirect(request: Request, siteOrigins: readonly string[], path: `/${string}`): Response {
  const origin = findSiteOrigin(request, siteOrigins) ?? siteOrigins[0] ?? '';
  const headers = { Location: origin + path, 'Cache-Control': 'no-store', Vary: 'Origin' };
  return new Response(null, { status: 303, headers });
}

/** Answers a request with one of the errors. */
export function refuse(
  request: Request,
  siteOrigins: readonly string[],
  code: keyof typeof refusals,
  headers: Record<string, string> = {},
): Response {
  const [status, message] = refusals[code];
  // The limits count the calls of an hour.
  const more = code === 'too_many_requests' ? { ...headers, 'Retry-After': '3600' } : headers;
  return answer(request, siteOrigins, status, { error: { code, message } }, more);
}

/** Describes an error for the log, whose lines never contain an email address. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
