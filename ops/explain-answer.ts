/**
 * Explains an unexpected answer of a hosted service, with the service's own message from its `body`, and what to do if we know it.
 * https://supabase.com/docs/guides/troubleshooting/http-status-codes
 */
export function explainAnswer(url: string, status: number, body: string): string {
  const message = readMessage(body);
  const said = message ? `: ${message}.` : '.';
  const dashboard = 'at https://supabase.com/dashboard.';
  if (status === 540) return `${url} is paused${said} Restore the project ${dashboard}`;
  if (status === 402) return `${url} is restricted${said} Look at the usage of its organization ${dashboard}`;
  if (status === 429 || status >= 500)
    return `${url} is overloaded or down: it answered ${status}${said} Try again in a few minutes.`;
  return `${url} answered ${status}${said}`;
}

/** Explains why a call got no answer. */
export function explainSilence(url: string, error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError')
    return `${url} did not answer in time. Try again, or check whether the project is paused.`;
  const { code } = (cause ?? {}) as { code?: string };
  return `${url} cannot be reached (${code ?? message}). Check the URL and the network.`;
}

/** Explains why the data API of a project refused a call of a procedure. */
export function explainRefusal(url: string, procedure: string, status: number, body: string): string {
  const { code } = parse(body);
  if (status === 401 || status === 403)
    return `${url} refuses the key. Set SUPABASE_SECRET_KEY to the secret key of this project (sb_secret_…), not to its publishable key.`;
  // The data API or the database does not know the procedure.
  if (code === 'PGRST202' || code === '42883')
    return `The database at ${url} has no ${procedure}: it is older than this program. Run ./waitlist deploy, or start the local stack again.`;
  if (status < 400 || (status === 404 && !code))
    return `${url} is not a Supabase project: it answered ${status}. Check the URL in .env, or start the local stack again.`;
  // The database itself answers, and says why.
  if (typeof code === 'string' && status < 500 && status !== 402 && status !== 429)
    return `${url} answered ${procedure} with ${status}: ${readMessage(body)}`;
  return explainAnswer(url, status, body);
}

/** Reads the first line of the message in the JSON answer of Supabase, Resend or Cloudflare, without its period. */
function readMessage(body: string): string {
  const { message, error, errors, missing_permissions } = parse(body);
  const [first] = [errors].flat() as ({ code: number; message: string } | undefined)[];
  const all = [message, error, first?.message && `${first.message} (${first.code})`];
  const said = all.find((text) => typeof text === 'string')?.split('\n', 1)[0] ?? '';
  const more = missing_permissions ? ` (missing: ${String(missing_permissions)})` : '';
  return said.slice(0, 300).replace(/\.$/, '') + more;
}

function parse(body: string): Record<string, unknown> {
  try {
    return (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
