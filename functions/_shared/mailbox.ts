import { hash } from './secrets.ts';

/**
 * Returns the mailbox behind an email address. Providers deliver `name+tag@…` to `name@…`, and Gmail ignores dots:
 * https://support.google.com/mail/answer/7436150. Two members may share a mailbox. Limits, leaving and complaints apply to all of it.
 */
export function readMailbox(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  // Resend's test addresses are nobody's mailbox. If all probes shared one, the fourth within 30 days would get no welcome,
  // and fail.
  if (domain === 'resend.dev') return email;
  const name = local.replace(/(?<=.)\+.*$/, ''); // a telephone number may begin with +
  if (domain === 'gmail.com' || domain === 'googlemail.com') return `${name.replaceAll('.', '')}@gmail.com`;
  return `${name}@${domain}`;
}

/** Returns the hashes that the database keeps of an address. The last secret makes them: a new one is put in front of it. */
export function hashAddress(email: string, tokenSecrets: string[]) {
  const secret = tokenSecrets.at(-1)!;
  return {
    address_hash: hash('address', email, secret),
    mailbox_hash: hash('mailbox', readMailbox(email), secret),
  };
}

/** Returns a keyed hash that identifies the last secret: a database stores that of the secret that made its hashes. */
export function makeFingerprint(tokenSecrets: string[]): string {
  return hash('fingerprint', '', tokenSecrets.at(-1)!);
}
