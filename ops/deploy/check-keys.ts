import type { Values, VariableName } from '../../shared/variables.ts';
import { explainAnswer, explainSilence } from '../explain-answer.ts';
import { formatCount, say } from '../output.ts';
import { findFaults, omitFaulty, readDomain, readProjectRef } from './check-values.ts';

const TIMEOUT = 10_000; // milliseconds for one service

interface Check {
  /** `FIX` stops a deployment. */
  state: 'ok' | 'FIX' | 'not checked';
  /** Starts with the name of what was checked. */
  text: string;
  /** What the service answered. */
  body?: Body;
}

/**
 * Checks the values on their own and how `.env` is written, then each key without a fault with its service. Prints what it finds,
 * and returns how many things stop a deployment, and a sentence about the values that could not be checked.
 */
export async function checkValues(
  values: Values,
  written: string,
): Promise<{ obstacles: number; remark: string }> {
  const faults = findFaults(values, written);
  const found = (await Promise.all(checkKeys(omitFaulty(values, faults)))).flat();
  for (const { state, text } of found) if (state !== 'FIX') say(`${state.padEnd(11)}  ${text}`);
  const refused = found.filter(({ state }) => state === 'FIX').map(({ text }) => text);
  const obstacles = [...faults.map(({ text }) => text), ...refused];
  if (obstacles.length > 0) say(['Fix these before deploying:', ...obstacles].join('\n  '));
  const unchecked = found.filter(({ state }) => state === 'not checked').length;
  const remark = unchecked === 0 ? '' : ` ${formatCount(unchecked, 'value')} could not be checked.`;
  return { obstacles: obstacles.length, remark };
}

/** Asks each service whether it accepts its key. The database and the domains have to wait for their steps. */
function checkKeys(values: Values): Promise<Check[]>[] {
  const { PUBLIC_SUPABASE_URL: project, CLOUDFLARE_ACCOUNT_ID: account } = values;
  const { PUBLIC_EMAIL_SENDER: sender } = values;
  const accounts = 'https://api.cloudflare.com/client/v4/accounts';
  const health = project && new URL('/auth/v1/health', project).href;
  const reference = readProjectRef(values);
  const calls: [name: VariableName, url: string | undefined][] = [
    ['PUBLIC_SUPABASE_ANON_KEY', health],
    ['SUPABASE_SECRET_KEY', health],
    ['SUPABASE_ACCESS_TOKEN', reference && `https://api.supabase.com/v1/projects/${reference}`],
    ['RESEND_API_KEY', 'https://api.resend.com/domains'],
    ['CLOUDFLARE_API_TOKEN', account && `${accounts}/${account}/workers/scripts`],
  ];
  return calls.map(async ([name, url]) => {
    const key = values[name];
    if (!key || !url) return [];
    const headers: Record<string, string> =
      url === health ? { apikey: key } : { Authorization: `Bearer ${key}` };
    const check = await ask(name, url, headers);
    if (name !== 'RESEND_API_KEY' || check.state !== 'ok' || !sender) return [check];
    return [check, await checkDomain(readDomain(sender), check.body?.data, key)];
  });
}

/**
 * Checks what Resend says about the domain of the sender; without `domains`, the key may only send. Tracking would break what the
 * privacy policy promises.
 */
async function checkDomain(name: string, domains: Body['data'], key: string): Promise<Check> {
  if (!domains) {
    const text = `${name}: RESEND_API_KEY may only send. Look at https://resend.com/domains: the domain must be verified, with tracking off.`;
    return { state: 'not checked', text };
  }
  const domain = domains.find((candidate) => candidate.name === name);
  const refuse = (problem: string): Check => {
    return { state: 'FIX', text: `${name}: ${problem}. See https://resend.com/domains.` };
  };
  if (!domain) return refuse('it is not among your domains at Resend');
  // A domain that sends may have another status, such as "partially_verified": https://github.com/resend/resend-node/pull/937
  if (/^(not_started|pending|failed)$/.test(domain.status)) return refuse('Resend has not verified it yet');
  const url = `https://api.resend.com/domains/${domain.id}`;
  const check = await ask(name, url, { Authorization: `Bearer ${key}` });
  if (check.body?.open_tracking || check.body?.click_tracking)
    return refuse('tracking of opens or clicks is on, against the privacy policy. Switch it off');
  return check;
}

/** The parts of the services' JSON that we read. https://resend.com/docs/api-reference/domains/ */
interface Body {
  name?: string;
  data?: Record<'id' | 'name' | 'status', string>[];
  open_tracking?: boolean;
  click_tracking?: boolean;
}

/** Calls a service, and returns whether it accepts the key. */
async function ask(subject: string, url: string, headers: Record<string, string>): Promise<Check> {
  const { host } = new URL(url);
  let body: Body = {};
  const report = (state: Check['state'], text: string) => ({ state, text: `${subject}: ${text}`, body });
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT) });
    const { ok, status } = response;
    const text = await response.text();
    if (/^\{/.test(text)) body = JSON.parse(text) as Body;
    // https://resend.com/docs/api-reference/errors: this key may only send, and the function needs no more.
    if (ok || body.name === 'restricted_api_key') return report('ok', `${host} accepts it.`);
    const explained = explainAnswer(host, status, text);
    if (status === 402 || status === 540) return report('FIX', explained);
    if (status >= 500 || status === 429) return report('not checked', explained);
    return report('FIX', `${host} refuses it (${status}). Copy it again, or create a new one.`);
  } catch (error) {
    return report('not checked', explainSilence(host, error));
  }
}
