import { readBody } from '../_shared/read-body.ts';
import { answer, describeError, refuse } from '../_shared/http.ts';
import { type DeliveryEvent, readEvent } from './event.ts';

export interface Services {
  /** Returns whether the provider signed the body within the last few minutes. */
  isSigned(headers: Headers, body: string): boolean;
  /** Records an event, once for each message and kind. Rejects when the database cannot be reached. */
  record(id: string, event: DeliveryEvent): Promise<void>;
}

/**
 * Answers one webhook call of Resend. A signed call is accepted even if we do not need its event: otherwise Resend
 * would send it again. Never throws.
 */
export async function handleDeliveryEvent(request: Request, services: Services): Promise<Response> {
  if (request.method !== 'POST') return refuse(request, [], 'method_not_allowed', { Allow: 'POST' });
  const body = await readBody(request);
  if (body === undefined) return refuse(request, [], 'body_too_large');
  if (!services.isSigned(request.headers, body)) return refuse(request, [], 'invalid_signature');
  const event = readEvent(body);
  try {
    if (event !== undefined) await services.record(request.headers.get('svix-id')!, event);
  } catch (error) {
    console.error(`event not recorded: ${describeError(error)}`);
    return refuse(request, [], 'unavailable');
  }
  return answer(request, [], 200, { received: true });
}
