import { readBody } from '../../shared/read-body.ts';
import { answer, describeError, makeRefuse } from '../_shared/http.ts';
import { type DeliveryEvent, readEvent } from './event.ts';

export interface Services {
  /** Returns whether the provider signed the body within the last few minutes. */
  isSigned(headers: Headers, body: string): boolean;
  /** Records an event, once for each `id`. Rejects when the database cannot be reached. */
  record(id: string, event: DeliveryEvent): Promise<void>;
  /** Writes a line to the log. Lines never contain an email address. */
  log(line: string): void;
}

export const refusals = {
  method_not_allowed: [405, 'Use POST.'],
  body_too_large: [413, 'Send a body of at most 128 KB.'],
  invalid_signature: [
    401,
    'Send the body and the svix-… headers as Resend signed them, within five minutes.',
  ],
  unavailable: [503, 'The event cannot be recorded. Send it again in a minute.'],
} as const;

const refuse = makeRefuse(refusals);

const noPages = { siteOrigins: [] };

/**
 * Answers one webhook call of Resend. A signed call is accepted even if we do not need its event: otherwise Resend
 * would send it again. Never throws.
 */
export async function handleDeliveryEvent(request: Request, services: Services): Promise<Response> {
  if (request.method !== 'POST') return refuse(request, noPages, 'method_not_allowed', { Allow: 'POST' });
  const body = await readBody(request);
  if (body === undefined) return refuse(request, noPages, 'body_too_large');
  if (!services.isSigned(request.headers, body)) return refuse(request, noPages, 'invalid_signature');
  const event = readEvent(body);
  try {
    if (event !== undefined) await services.record(request.headers.get('svix-id')!, event);
  } catch (error) {
    services.log(`event not recorded: ${describeError(error)}`);
    return refuse(request, noPages, 'unavailable');
  }
  return answer(request, [], 200, { received: true });
}
