/** An e-mail as Resend's API takes it. */
export interface Message {
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
}

const PATIENCE = 10_000; // milliseconds; half of what the page waits for the whole call

/**
 * Hands a message to Resend (https://resend.com/docs/api-reference/emails/send-email).
 *
 * @throws Error with Resend's status and error name, which hold no address, when it does not take the message.
 */
export async function sendMessage(
  message: Message,
  { resendBaseUrl, resendApiKey }: { resendBaseUrl: string; resendApiKey: string },
): Promise<void> {
  const response = await fetch(new URL('/emails', resendBaseUrl), {
    method: 'POST',
    headers: { Authorization: `Bearer ${resendApiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...message, to: [message.to] }),
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (response.ok) return void (await response.body?.cancel());
  const { name = 'unknown' } = await response.json().catch(() => ({}));
  throw new Error(`Resend answered ${response.status} (${String(name)})`);
}
