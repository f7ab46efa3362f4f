import { fillHtml } from '../../shared/fill-template.ts';
import { welcome } from '../../shared/welcome.ts';
import { deployment } from '../config/deployment.ts';

/**
 * Asks the email function to send the welcome email to an address. Resolves to its response, whatever the status.
 * `signal` ends a call that takes too long (EMAIL_TIMEOUT in join-waitlist.ts).
 *
 * The specification asks for `from`, `subject` and `html`, and they change nothing: the function sends its own (see
 * functions/resend-email/handler.ts), so that nobody can send other mail through it.
 */
export function sendWelcome(email: string, signal: AbortSignal): Promise<Response> {
  const { unsubscribeAddress, siteUrl } = deployment;
  const answer = fetch(deployment.emailFunctionUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${deployment.publicKey}`,
      apikey: deployment.publicKey,
    },
    body: JSON.stringify({
      from: deployment.sender,
      to: email,
      subject: welcome.subject,
      html: fillHtml(welcome.html, { address: email, unsubscribeAddress, siteUrl }),
    }),
    signal,
    // The call continues when the visitor leaves the page.
    keepalive: true,
  });
  // Browsers lose the answer of a page that was in their back/forward cache. A second call changes nothing.
  const repeated = new Promise<Response>((resolve) => {
    const repeat = ({ persisted }: PageTransitionEvent) => persisted && resolve(sendWelcome(email, signal));
    addEventListener('pageshow', repeat, { signal });
  });
  return Promise.race([answer, repeated]);
}
