import { resolve } from 'node:path';
import { render } from 'react-email';
import { blanks } from '../../functions/resend-email/fill-template.ts';
import { signUp } from '../site.ts';
import { collections } from '../content-check/collections.ts';
import { readFields } from '../content-check/read-fields.ts';
import { WelcomeEmail } from './WelcomeEmail.tsx';

const selectors = [
  // Otherwise the renderer would put headings, and with them the name of the product, in capitals.
  ...['h1', 'h2'].map((selector) => ({ selector, options: { uppercase: false } })),
  // The renderer strips "mailto:", and the rest must be an address, so this drops the subject.
  {
    selector: 'a[href^="mailto:"]',
    format: 'anchor',
    options: { linkBrackets: false, pathRewrite: (path: string) => path.replace(/\?.*/, '') } as const,
  },
];

const root = resolve(import.meta.dirname, '../..');

/**
 * Renders the welcome e-mail with placeholders for the values that differ between members.
 *
 * @throws Error when its words have mistakes.
 */
export async function renderWelcome(): Promise<{ subject: string; html: string; text: string }> {
  const element = (
    <WelcomeEmail
      words={readFields(root, 'content/email/welcome.mdx', collections.welcomeEmail)}
      address={blanks.address}
      unsubscribeAddress={blanks.unsubscribeAddress}
      linkTarget="_blank"
    />
  );
  return {
    subject: signUp.subject,
    html: await render(element),
    text: await render(element, { plainText: true, htmlToTextOptions: { selectors } }),
  };
}
