import { normalizeAddress } from '../../shared/email-address.ts';
import { joinWaitlist } from './join-waitlist.ts';
import { fetchClient, saveEntry } from './save-entry.ts';
import { sendWelcome } from './send-welcome.ts';

/** Reads what a visitor typed into a form. */
export function readEmail(form: HTMLFormElement): string {
  return String(new FormData(form).get('email_address')).trim();
}

/** Signs up an email with the services of this deployment. Never rejects. */
export function join(email: string): ReturnType<typeof joinWaitlist> {
  const outcome = joinWaitlist(normalizeAddress(email), { sendWelcome, saveEntry, log: console });
  // Loads during the email call, which does not need the library.
  fetchClient().catch(() => {});
  return outcome;
}
