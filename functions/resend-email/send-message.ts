/** An e-mail as Resend's API takes it. */
export interface Message {
  from: string;
  to: [string];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
}

/** How handing a message to the provider ended. */
export type Outcome =
  | { kind: 'sent'; providerId: string }
  /** The provider will never take it. */
  | { kind: 'refused'; problem: string }
  /** The provider did not take it, and will later: after `retryAfter` seconds. */
  | { kind: 'postponed'; problem: string; retryAfter: number }
  /** Nobody knows whether it was taken. */
  | { kind: 'failed'; problem: string };

const PATIENCE = 30_000; // milliseconds; less than the minute for which a welcome is leased
const LONGEST_PAUSE = 3600; // seconds; a provider that is back early is noticed within the hour
const SHORT_PAUSE = 5;
const LONG_PAUSE = 300; // for what somebody has to mend: a key, a domain

/**
 * Hands a message, a `Message` as JSON, to Resend under a key by which Resend knows it again for 24 hours.
 *
 * https://resend.com/docs/api-reference/errors says what each answer means. Never throws; problems hold no address.
 */
export async function sendMessage(
  message: string,
  idempotencyKey: string,
  { resendBaseUrl, resendApiKey }: { resendBaseUrl: string; resendApiKey: string },
): Promise<Outcome> {
  let response: Response;
  try {
    response = await fetch(new URL('/emails', resendBaseUrl), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${resendApiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: message,
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch (error) {
    const problem = error instanceof Error ? `${error.name} ${findCode(error)}`.trim() : 'unknown error';
    // Without a connection nothing can have been taken.
    if (isConnectionRefused(error)) return { kind: 'postponed', problem, retryAfter: SHORT_PAUSE };
    return { kind: 'failed', problem };
  }
  return judge(response);
}

/** Tells from an answer of Resend what became of the message. */
export async function judge(response: Response): Promise<Outcome> {
  const { id, name } = (await response.json().catch(() => ({}))) as { id?: unknown; name?: unknown };
  if (response.ok) return { kind: 'sent', providerId: String(id ?? '') };
  const { status } = response;
  const problem = `Resend answered ${status} (${String(name ?? 'no name').slice(0, 60)})`;
  if (status === 429) {
    const usual = /quota/.test(String(name)) ? LONGEST_PAUSE : SHORT_PAUSE;
    const asked = Number(response.headers.get('retry-after')) || usual;
    return { kind: 'postponed', problem, retryAfter: Math.min(Math.max(asked, 1), LONGEST_PAUSE) };
  }
  if (status === 401 || status === 403) return { kind: 'postponed', problem, retryAfter: LONG_PAUSE };
  if (name === 'concurrent_idempotent_requests' || status === 408 || status >= 500)
    return { kind: 'failed', problem };
  return { kind: 'refused', problem };
}

function findCode(error: Error): string {
  const cause = error.cause as { code?: unknown } | undefined;
  return typeof cause?.code === 'string' ? cause.code : '';
}

function isConnectionRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Node names the code; Deno says in its message that it got no further than the connection.
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(findCode(error)) || /\(Connect\)/.test(error.message);
}
