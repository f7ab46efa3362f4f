import { joinWaitlist } from './join-waitlist.ts';
import { fetchClient, saveEntry } from './save-entry.ts';
import { sendWelcome } from './send-welcome.ts';

type Outcome = ReturnType<typeof joinWaitlist>;

/** Sign-ups that started before React had loaded, by email. */
const started = new Map<string, Outcome>();

// `client:intent` holds a form that is sent before React has arrived. This script arrives earlier and starts the sign-up.
if (!import.meta.env.SSR) addEventListener('held', ({ target }) => start(target as HTMLFormElement));

function start(form: HTMLFormElement): void {
  const email = readEmail(form);
  if (!started.has(email)) started.set(email, join(email));
}

/** Signs up the email in a form, or returns the sign-up that has already started for it. Never rejects. */
export function joinFromForm(form: HTMLFormElement): Outcome {
  const email = readEmail(form);
  const outcome = started.get(email) ?? join(email);
  started.delete(email);
  return outcome;
}

function join(email: string): Outcome {
  const outcome = joinWaitlist(email, { sendWelcome, saveEntry, log: console });
  // Loads during the email call, which does not need the library.
  fetchClient().catch(() => {});
  return outcome;
}

function readEmail(form: HTMLFormElement): string {
  return String(new FormData(form).get('email_address')).trim();
}
