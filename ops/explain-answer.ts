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

/** Reads the first line of the message in the JSON answer of Supabase, Resend or Cloudflare, without its period. */
export function readMessage(body: string): string {
  try {
    const { message, error, errors, missing_permissions } = JSON.parse(body) as Record<string, unknown>;
    const [first] = (errors ?? []) as { code: number; message: string }[];
    const all = [message, error, first && `${first.message} (${first.code})`];
    const said = all.find((text) => typeof text === 'string')?.split('\n', 1)[0] ?? '';
    const more = missing_permissions ? ` (missing: ${String(missing_permissions)})` : '';
    return said.slice(0, 300).replace(/\.$/, '') + more;
  } catch {
    return '';
  }
}
