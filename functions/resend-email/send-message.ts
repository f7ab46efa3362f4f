/** An email in the shape that Resend's API takes. */
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
  /** The provider will never take this message. */
  | { kind: 'refused'; problem: string }
  /** The provider takes no message now: try again after `retryAfter` seconds. */
  | { kind: 'postponed'; problem: string; retryAfter: number }
  /** The provider did not take this message, and may take others: somebody has to fix a key, a domain, an address. */
  | { kind: 'blocked'; problem: string }
  /** Nobody knows whether the provider took it: try again under the same key. */
  | { kind: 'failed'; problem: string };

const PATIENCE = 30_000; // milliseconds; less than the minute for which the database leases a welcome
const LONGEST_PAUSE = 3600; // seconds; a provider that is back early is noticed within the hour
const SHORT_PAUSE = 5; // seconds

/**
 * Sends a message (a `Message` as JSON) through Resend, under a key by which Resend recognizes it for 24 hours.
 * Never throws. Problems contain no email address.
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
      // Following a redirect would repeat the call as a GET, and whatever answered that would count as sent.
      redirect: 'manual',
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

/**
 * Tells what an answer means for the message. https://resend.com/docs/api-reference/errors lists what Resend says. Any
 * other answer, such as a redirect, a 404 or a page of HTML, is not about the message and counts as failed.
 */
export async function judge(response: Response): Promise<Outcome> {
  const { id, name } = await readAnswer(response);
  const { ok, status, headers } = response;
  if (ok && id !== undefined) return { kind: 'sent', providerId: id };
  const problem = `Resend answered ${status} (${name ?? 'no name'})`;
  if (status === 429) {
    const usual = name?.includes('quota') ? LONGEST_PAUSE : SHORT_PAUSE;
    const asked = Number(headers.get('retry-after')) || usual;
    return { kind: 'postponed', problem, retryAfter: Math.ceil(Math.min(Math.max(asked, 1), LONGEST_PAUSE)) };
  }
  if (status === 401 || status === 403) return { kind: 'blocked', problem };
  // 409 is not final: the same message is being sent, or an earlier try under this key had another text, from before a
  // deployment. Nobody knows whether that one was taken.
  const isFinal = [400, 422, 451].includes(status);
  return { kind: isFinal && name !== undefined ? 'refused' : 'failed', problem };
}

async function readAnswer(response: Response): Promise<{ id?: string; name?: string }> {
  try {
    const { id, name } = (await response.json()) as { id?: unknown; name?: unknown };
    return { id: asWord(id), name: asWord(name) };
  } catch {
    return {};
  }
}

/** Resend's identifiers are single words. Anything else may quote an email address. */
function asWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value) ? value : undefined;
}

function findCode(error: Error): string {
  const cause = error.cause as { code?: unknown } | undefined;
  return typeof cause?.code === 'string' ? cause.code : '';
}

function isConnectionRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Node gives a code; Deno says in its message that it did not get beyond connecting.
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(findCode(error)) || /\(Connect\)/.test(error.message);
}
