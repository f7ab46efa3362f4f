import { toAsciiDomain } from '../../ground/email-address.ts';
import { joinWaitlist } from './join-waitlist.ts';
import { fetchClient, saveEntry } from './save-entry.ts';
import { sendWelcome } from './send-welcome.ts';

/** Signs up the email in a form. Never rejects. */
export function joinFromForm(form: HTMLFormElement): ReturnType<typeof joinWaitlist> {
  const email = toAsciiDomain(String(new FormData(form).get('email_address')).trim());
  const outcome = joinWaitlist(email, { sendWelcome, saveEntry, log: console });
  // Loads during the email call, which does not need the library.
  fetchClient().catch(() => {});
  return outcome;
}
