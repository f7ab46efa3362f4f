/** The errors of a function, by their stable codes: the status, and a sentence that says what to do. */
type Refusals = Record<string, readonly [status: number, message: string]>;

/** Returns the media type of the body in lower case, without its parameters. */
export function readType(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

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
    headers.set('Access-Control-Expose-Headers', 'Retry-After');
    headers.set('Access-Control-Max-Age', '86400');
  }
  if (body === undefined) return new Response(null, { status, headers });
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(body), { status, headers });
}

/** Redirects the visitor to a path of the site: always a configured origin, whatever the request claims. */
export function redirect(request: Request, siteOrigins: readonly string[], path: `/${string}`): Response {
  const origin = findSiteOrigin(request, siteOrigins) ?? siteOrigins[0] ?? '';
  const headers = { Location: origin + path, 'Cache-Control': 'no-store', Vary: 'Origin' };
  return new Response(null, { status: 303, headers });
}

/** Makes the function that answers a request with one of the errors, by its code. */
export function makeRefuse<Codes extends Refusals>(refusals: Codes) {
  return (
    request: Request,
    { siteOrigins }: { siteOrigins: readonly string[] },
    code: keyof Codes & string,
    headers: Record<string, string> = {},
  ): Response => {
    const [status, message] = refusals[code]!;
    return answer(request, siteOrigins, status, { error: { code, message } }, headers);
  };
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}

/** Returns the object that a text contains as JSON; `undefined` for anything else. */
export function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
