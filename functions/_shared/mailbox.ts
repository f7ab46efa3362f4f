/**
 * Returns the mailbox behind an email address. Providers deliver `name+tag@…` to `name@…`, and Gmail ignores dots:
 * https://support.google.com/mail/answer/7436150. Two members may share a mailbox, so it is for limits and complaints only.
 */
export function readMailbox(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  // Resend's test addresses are nobody's mailbox. If they shared one, one bounce would end the mail to all of them, and
  // every probe would fail.
  if (domain === 'resend.dev') return email;
  const name = local.replace(/\+.*$/, '');
  if (domain === 'gmail.com' || domain === 'googlemail.com') return `${name.replaceAll('.', '')}@gmail.com`;
  return `${name}@${domain}`;
}
