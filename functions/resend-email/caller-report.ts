import { answer, makeRefuse } from '../http.ts';
import { readCaller } from './caller.ts';

/** What the report needs from the configuration. */
interface Settings {
  siteOrigins: readonly string[];
  secretKeys: readonly string[];
  callerHeader: string | undefined;
}

export const refusals = {
  invalid_key: [401, 'Send the secret key of this project in the apikey header.'],
} as const;

const refuse = makeRefuse(refusals);

/** Returns whether a request asks who is calling, as deployments and probes do. */
export function asksForCaller({ method, url }: Request): boolean {
  return method === 'POST' && new URL(url).pathname.endsWith('/caller');
}

/**
 * Reports to the owner which headers of this very call contain an IP address, and the caller that the function would read from
 * each. No document says which header the platform sets. A deployment finds out with calls that forge them.
 */
export function reportCaller(request: Request, settings: Settings): Response {
  const { siteOrigins, secretKeys, callerHeader } = settings;
  if (!secretKeys.includes(request.headers.get('apikey') ?? ''))
    return refuse(request, settings, 'invalid_key');
  const callers = [...request.headers.keys()].flatMap((name) => {
    // On a developer's machine, the host is an address.
    if (name === 'host') return [];
    const seen = readCaller(request.headers, name);
    return seen ? [[name, seen.caller]] : [];
  });
  const body = {
    header: callerHeader?.toLowerCase() ?? null,
    callers: Object.fromEntries(callers) as object,
  };
  return answer(request, siteOrigins, 200, body);
}
