interface SignUpServices {
  /** Calls the email function. Resolves to its response; rejects when there is none. */
  sendWelcome(email: string, signal: AbortSignal): Promise<Response>;
  /** Inserts the entry. Resolves to the database's answer; rejects when the call could not be made. */
  saveEntry(email: string): Promise<{ data: unknown; error: unknown }>;
  log: Pick<Console, 'log' | 'error'>;
}

type Outcome = 'joined' | 'refused' | 'closed' | 'unanswered';

export const EMAIL_TIMEOUT = 20_000; // milliseconds until an email call counts as failed
export const SAVE_TIMEOUT = 3_000; // milliseconds until a save continues in the background

/**
 * Signs up one address: first the welcome email, then the entry.
 *
 * Resolves to `refused` when the email function did not accept the address, to `closed` when sign-ups are closed, and to
 * `unanswered` when the call got no answer: in all three cases, it saves nothing. A slow or failed save does not change the
 * outcome, because the function already has the email. Never rejects.
 */
export async function joinWaitlist(email: string, services: SignUpServices): Promise<Outcome> {
  const outcome = await requestWelcome(email, services);
  if (outcome === 'joined')
    await Promise.race([save(email, services), new Promise((resolve) => setTimeout(resolve, SAVE_TIMEOUT))]);
  return outcome;
}

/** Asks for the welcome email. Logs the answer unless the address was accepted. */
async function requestWelcome(email: string, { sendWelcome, log }: SignUpServices): Promise<Outcome> {
  const timeout = new AbortController();
  setTimeout(() => timeout.abort(new Error('no response in time')), EMAIL_TIMEOUT);
  try {
    const response = await sendWelcome(email, timeout.signal);
    // The specification reads only the status. A page that a captive portal or a filter puts in place of the answer has no
    // CORS headers, so the call fails.
    if (response.ok) return 'joined';
    const text = await response.text();
    log.error('Welcome email not sent:', response.status, response.statusText, text);
    return text.includes('"sign_ups_closed"') ? 'closed' : 'refused';
  } catch (error) {
    log.error('Welcome email not sent:', error);
  } finally {
    timeout.abort();
  }
  return 'unanswered';
}

async function save(email: string, { saveEntry, log }: SignUpServices): Promise<void> {
  try {
    const { data, error } = await saveEntry(email);
    if (error) log.error('Waitlist entry not saved:', data, error);
    else log.log('Waitlist entry saved:', data, error);
  } catch (error) {
    log.error('Waitlist entry not saved:', error);
  }
}
