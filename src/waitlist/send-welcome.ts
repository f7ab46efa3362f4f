import { fillHtml } from '../../functions/resend-email/fill-template.ts';
import { deployment } from '../deployment.ts';
import { signUp } from '../site.ts';

/** Asks the e-mail function for the welcome e-mail of one address. Resolves to its answer, whatever that says. */
export async function sendWelcome(address: string, signal: AbortSignal): Promise<Response> {
  return fetch(deployment.emailFunctionUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${deployment.publicKey}`,
      apikey: deployment.publicKey,
    },
    body: JSON.stringify({
      from: deployment.sender,
      to: address,
      subject: signUp.subject,
      html: await renderWelcome(address),
    }),
    signal,
  });
}

/** Fetches the template of the welcome. Done while somebody types, it keeps no call waiting. */
export function fetchTemplate() {
  return import('../../functions/resend-email/welcome.ts');
}

async function renderWelcome(address: string): Promise<string> {
  try {
    const { welcome } = await fetchTemplate();
    return fillHtml(welcome.html, { address, unsubscribeAddress: deployment.unsubscribeAddress });
  } catch {
    // After a deployment the template of an older tab may be gone. The function sends its own, so nobody is lost for it.
    return '';
  }
}
