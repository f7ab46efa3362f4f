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
  /** The provider will never accept a message to this recipient. */
  | { kind: 'refused'; problem: string }
  /** The provider will never accept this message, but does not say that the recipient is the reason. */
  | { kind: 'rejected'; problem: string }
  /** The provider does not accept the key or the sender: the owner has to fix something, and the message waits. */
  | { kind: 'blocked'; problem: string }
  /** The provider accepts no messages now: try again after `retryAfter` seconds. */
  | { kind: 'postponed'; problem: string; retryAfter: number }
  /** The provider did not accept it this time: try again. */
  | { kind: 'failed'; problem: string }
  /** The provider may have accepted it: try again under the same key. */
  | { kind: 'unanswered'; problem: string };

/**
 * What Resend's errors mean, by status, name and the field that the message mentions: https://resend.com/docs/api-reference/errors.
 * The first row that fits counts. A row with a name needs an answer in Resend's format: a proxy may answer with the same status.
 * Everything else is `failed`, also a 409: the message is being sent now, or an earlier try had another body, because of a deployment.
 */
const meanings: {
  status: number;
  name?: RegExp;
  field?: RegExp;
  kind: Exclude<Outcome['kind'], 'sent' | 'unanswered'>;
  pause?: [shortest: number, usual: number, longest: number]; // seconds
}[] = [
  // "API key is invalid", an idempotency key that is too long: nothing about the recipient, which would be a 422.
  { status: 400, name: /./, kind: 'blocked' },
  // A missing, deleted or restricted key.
  { status: 401, kind: 'blocked' },
  // A domain that is not verified, a test account that may write only to its owner.
  { status: 403, kind: 'blocked' },
  { status: 422, name: /./, field: /`to`/, kind: 'refused' },
  { status: 422, name: /^invalid_from_address$/, kind: 'blocked' },
  { status: 422, name: /./, field: /`from`/, kind: 'blocked' },
  // Missing or invalid parameters.
  { status: 422, name: /./, kind: 'rejected' },
  // Resend suspects a security issue in the message.
  { status: 451, name: /./, kind: 'rejected' },
  // A quota lasts a day or a month, whatever Retry-After says. One attempt an hour, in case the owner has bought more.
  { status: 429, name: /quota/, kind: 'postponed', pause: [600, 3600, 3600] },
  { status: 429, kind: 'postponed', pause: [1, 5, 3600] },
];

const TIMEOUT = 30_000; // milliseconds; less than the minute for which the database leases a message
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
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch (error) {
    const { name, message: said, cause } = error as Error & { cause?: { code?: string; message: string } };
    const problem = cause?.code ?? name;
    // Deno's words for no connection, in newer versions in the cause: the provider cannot have accepted anything.
    if (`${said} ${cause?.message}`.includes('(Connect)'))
      return { kind: 'postponed', problem, retryAfter: SHORT_PAUSE };
    return { kind: 'unanswered', problem };
  }
  return readOutcome(response);
}

/** Decides what a response means for the message. */
export async function readOutcome(response: Response): Promise<Outcome> {
  const { ok, status, headers } = response;
  const { id, name, message } = await readAnswer(response);
  if (ok && id !== undefined) return { kind: 'sent', providerId: id };
  const problem = `Resend answered ${status} (${name ?? 'no name'})`;
  const { kind, pause } = meanings.find(
    (row) =>
      row.status === status && (row.name?.test(name ?? '') ?? true) && (row.field?.test(message) ?? true),
  ) ?? { kind: 'failed' as const };
  if (kind !== 'postponed') return { kind, problem };
  const [shortest, usual, longest] = pause!;
  const asked = Number(headers.get('retry-after')) || usual;
  return { kind, problem, retryAfter: Math.ceil(Math.min(Math.max(asked, shortest), longest)) };
}

async function readAnswer(response: Response): Promise<{ id?: string; name?: string; message: string }> {
  try {
    const { id, name, message } = (await response.json()) as Record<string, unknown>;
    return { id: asWord(id), name: asWord(name), message: typeof message === 'string' ? message : '' };
  } catch {
    return { message: '' };
  }
}

/** Resend's identifiers are single words. Anything else may quote an email address. */
function asWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value) ? value : undefined;
}
