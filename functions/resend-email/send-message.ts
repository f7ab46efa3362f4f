/** An email in the format of Resend's API. */
export interface Message {
  from: string;
  to: [string];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
}

/** The result of passing a message to the provider. */
export type Outcome =
  | { kind: 'sent'; providerId: string }
  /** The provider will never accept this message. */
  | { kind: 'refused'; problem: string }
  /** The provider accepts no messages now: try again after `retryAfter` seconds. */
  | { kind: 'postponed'; problem: string; retryAfter: number }
  /** The provider did not accept this message but may accept others: a key, a domain or an address has to be fixed. */
  | { kind: 'blocked'; problem: string }
  /** The provider may have accepted it: try again under the same key. */
  | { kind: 'failed'; problem: string };

const PATIENCE = 30_000; // milliseconds; less than the minute for which the database leases a welcome
const LONGEST_PAUSE = 3600; // seconds; at least one attempt an hour, in case the provider is back early
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
    // Without a connection, the provider cannot have accepted anything.
    if (isConnectionRefused(error)) return { kind: 'postponed', problem, retryAfter: SHORT_PAUSE };
    return { kind: 'failed', problem };
  }
  return judge(response);
}

/**
 * Decides what a response means for the message. https://resend.com/docs/api-reference/errors lists what Resend says.
 * Any other response, such as a redirect, a 404 or an HTML page, says nothing about the message and counts as failed.
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
  // 409 is not final: either the same message is being sent now, or an earlier attempt under this key had a different
  // body because of a deployment in between. We cannot know whether that one was accepted.
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
  // Node sets a code; Deno's message says that the connection failed.
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(findCode(error)) || /\(Connect\)/.test(error.message);
}
