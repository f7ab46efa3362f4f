/** An email in the format of Resend's API. */
export interface Message {
  from: string;
  to: [string];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
}

/**
 * The result of passing a message to the provider. Done: `sent`, without an id if the answer was cut off, or `refused` because of the
 * recipient. Not this one: `rejected` for what it is, `failed` for a reason that says nothing about it, or `unanswered`, so that it
 * may have been accepted. Nobody now: `paused`, for a number of seconds.
 */
export type Outcome =
  | { kind: 'sent'; providerId?: string }
  | { kind: 'refused' | 'rejected' | 'failed' | 'unanswered'; problem: string }
  | { kind: 'paused'; problem: string; pause: number };

/** Shortest, usual and longest, in seconds. */
type PauseRange = [number, number, number];
const untilFixed: PauseRange = [180, 180, 180];

/**
 * What Resend's errors mean, by status, name and the field that the message mentions: https://resend.com/docs/api-reference/errors.
 * The first row that fits counts. A row with a name needs an answer in Resend's format: a proxy may answer with the same status.
 * Everything else is `failed`.
 */
const meanings: {
  status: number[];
  name?: RegExp;
  field?: RegExp;
  kind: Exclude<Outcome['kind'], 'failed' | 'unanswered'>;
  pause?: PauseRange;
}[] = [
  { status: [400, 422], name: /./, field: /`to`/, kind: 'refused' },
  // The key is missing, malformed, deleted or restricted.
  { status: [401], kind: 'paused', pause: untilFixed },
  { status: [400, 403], name: /_api_key$/, kind: 'paused', pause: untilFixed },
  { status: [400], name: /./, field: /API key/i, kind: 'paused', pause: untilFixed },
  // The sender's domain is not verified, or its address is malformed.
  { status: [403], name: /^validation_error$/, kind: 'paused', pause: untilFixed },
  { status: [403, 422], name: /^invalid_from_address$/, kind: 'paused', pause: untilFixed },
  { status: [400, 422], name: /./, field: /`from`/, kind: 'paused', pause: untilFixed },
  // Missing or invalid parameters. 451: Resend suspects a security issue in the message.
  { status: [400, 422, 451], name: /./, kind: 'rejected' },
  // An earlier try was accepted, with another body: a deployment has changed the sender since.
  { status: [409], name: /^invalid_idempotent_request$/, kind: 'sent' },
  // A quota lasts a day or a month. Tried after 10 minutes to an hour, as asked: the owner may have bought more.
  { status: [429], name: /quota/, kind: 'paused', pause: [600, 3600, 3600] },
  { status: [429], kind: 'paused', pause: [1, 5, 3600] },
];

const RESEND = 'https://api.resend.com';
const TIMEOUT = 30_000; // milliseconds; less than the minute for which the database leases a message
const SHORT_PAUSE = 5; // seconds

/**
 * Sends a message (a `Message` as JSON) through Resend, under a key by which Resend recognizes it for 24 hours.
 * Never throws. Problems contain no email address.
 */
export async function sendMessage(
  message: string,
  idempotencyKey: string,
  { resendBaseUrl = RESEND, resendApiKey }: { resendBaseUrl?: string; resendApiKey: string },
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
      return { kind: 'paused', problem, pause: SHORT_PAUSE };
    return { kind: 'unanswered', problem };
  }
  return readOutcome(response);
}

/** Decides what a response means for the message. */
export async function readOutcome(response: Response): Promise<Outcome> {
  const { ok, status, headers } = response;
  const { id, name, message } = await readAnswer(response);
  const problem = `Resend answered ${status} (${name ?? 'no name'})`;
  // Also if the connection ended in the body. A page is the answer of something else, such as a proxy.
  if (ok && !headers.get('content-type')?.includes('html')) return { kind: 'sent', providerId: id };
  if (ok) return { kind: 'unanswered', problem };
  const { kind, pause } = meanings.find(
    (row) =>
      row.status.includes(status) &&
      (row.name?.test(name ?? '') ?? true) &&
      (row.field?.test(message) ?? true),
  ) ?? { kind: 'failed' as const };
  if (kind === 'sent') return { kind };
  if (kind !== 'paused') return { kind, problem };
  const [shortest, usual, longest] = pause!;
  const asked = Number(headers.get('retry-after')) || usual;
  return { kind, problem, pause: Math.ceil(Math.min(Math.max(asked, shortest), longest)) };
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
