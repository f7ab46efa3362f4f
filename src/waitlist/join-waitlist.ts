/** What the sign-up asks of the world. */
interface SignUpServices {
  /** Asks the e-mail function for the welcome. Resolves to the answer, rejects when there is none. */
  sendWelcome(address: string, signal: AbortSignal): Promise<Response>;
  /** Inserts the entry. Resolves to what the database said, rejects when it could not be reached. */
  saveEntry(address: string): Promise<{ data: unknown; error: unknown }>;
  log: Pick<Console, 'log' | 'error'>;
}

export const EMAIL_PATIENCE = 20_000; // milliseconds until an e-mail call counts as failed
export const SAVE_PATIENCE = 3_000; // milliseconds until a save goes on in the background

/**
 * Signs one address up: the welcome e-mail first, then the entry.
 *
 * Resolves to `joined`, or to `failed` when the e-mail function did not take the address; then nothing is saved.
 * A save that fails or takes long does not change the outcome: the function has the address already. Never rejects.
 */
export async function joinWaitlist(address: string, services: SignUpServices): Promise<'joined' | 'failed'> {
  if (!(await askForWelcome(address, services))) return 'failed';
  await Promise.race([save(address, services), delay(SAVE_PATIENCE)]);
  return 'joined';
}

async function askForWelcome(address: string, { sendWelcome, log }: SignUpServices): Promise<boolean> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('no answer in time')), EMAIL_PATIENCE);
  try {
    // Raced, since not everything that comes before the call hears the signal.
    const response = await Promise.race([sendWelcome(address, timeout.signal), rejectOn(timeout.signal)]);
    if (response.ok) return true;
    log.error('Welcome e-mail not sent:', response.status, response.statusText, await response.text());
    return false;
  } catch (error) {
    log.error('Welcome e-mail not sent:', error);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

async function save(address: string, { saveEntry, log }: SignUpServices): Promise<void> {
  try {
    const { data, error } = await saveEntry(address);
    if (error) log.error('Waitlist entry not saved:', data, error);
    else log.log('Waitlist entry saved:', data, error);
  } catch (error) {
    log.error('Waitlist entry not saved:', error);
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
