import { quoteName } from '../../shared/email-address.ts';
import { fillHtml, fillText } from '../../shared/fill-template.ts';
import type { Config } from '../_shared/config.ts';
import type { Message } from './send-message.ts';

/** A rendered message, with blanks for what differs between members. */
export interface Template {
  subject: string;
  html: string;
  text: string;
}

type SenderConfig = Pick<Config, 'sender' | 'supabaseUrl' | 'unsubscribeAddress' | 'siteOrigins'>;

/**
 * Composes the body of the call to the provider, a `Message` as JSON: a template for one member, with the links to
 * unsubscribe. The same arguments always give the same body, because the provider compares repeated calls.
 */
export function composeMessage(
  template: Template,
  email: string,
  token: string,
  { sender, supabaseUrl, unsubscribeAddress, siteOrigins: [siteUrl] }: SenderConfig,
): string {
  const unsubscribe = new URL('/functions/v1/unsubscribe', supabaseUrl);
  unsubscribe.searchParams.set('token', token);
  const values = { address: email, unsubscribeAddress, siteUrl, unsubscribeUrl: unsubscribe.href };
  const message: Message = {
    from: quoteName(sender),
    to: [email],
    subject: template.subject,
    html: fillHtml(template.html, values),
    text: fillText(template.text, values),
    // RFC 2369 and RFC 8058: mail clients show a button for it. Gmail uses the first entry. The token in the subject says who
    // wants to leave: Gmail writes from the account's own address, which may be another spelling.
    headers: {
      'List-Unsubscribe': `<${unsubscribe.href}>, <mailto:${unsubscribeAddress}?subject=Unsubscribe%20${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // RFC 3834, and Exchange: no out-of-office reply should come back. Reports of bounces still do.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
    },
  };
  return JSON.stringify(message);
}
