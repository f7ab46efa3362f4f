import { setTimeout as delay } from 'node:timers/promises';
import { pickFunctionValues } from '../../shared/read-values.ts';
import { listVariables, type Values } from '../../shared/variables.ts';
import { explainAnswer } from '../explain-answer.ts';
import { findTrusted, judgeLiveHeaders } from '../probe/caller-header.ts';
import { readProjectRef } from './check-values.ts';

const TIMEOUT = 60_000; // milliseconds until functions that were just deployed must answer
const PAUSE = 1_000; // milliseconds between two attempts

/** Sets the secrets that the functions read, and removes those that are no longer set. */
export async function updateSecrets(values: Values): Promise<void> {
  const secrets = pickFunctionValues(values, 'functions');
  await setSecrets(values, secrets);
  // A later step finds the caller header. The platform lists its own secrets, which begin with SUPABASE_, but refuses to delete
  // them: https://github.com/Infisical/infisical/issues/823
  const kept = /^(CALLER_HEADER$|SUPABASE_)/;
  const unset = listVariables('owner').filter((name) => !secrets[name] && !kept.test(name));
  await removeSecrets(values, unset);
}

/**
 * Finds the header in which the platform shows the functions the caller's IP address, and sets it for them. Prints what it found.
 * Throws an Error while the email function does not answer.
 */
export async function setCallerHeader(values: Values, say: (line: string) => void): Promise<void> {
  const { header, verdicts } = await judge(values);
  const seen = Object.entries(verdicts).map(([name, verdict]) => `${name} (${verdict})`);
  say(`Headers with an IP address: ${seen.join(', ') || 'none'}.`);
  // A header that still works stays, because another one may be there only today.
  const trusted = header && verdicts[header] === 'trusted' ? header : findTrusted(verdicts);
  if (trusted) {
    await setSecrets(values, { CALLER_HEADER: trusted });
    say(`CALLER_HEADER is ${trusted}: it shows this machine's address, and forged calls did not change it.`);
  } else {
    await removeSecrets(values, ['CALLER_HEADER']);
    say(
      'warning  No header can be trusted. Callers are not limited. See docs/deploy.md, “When no caller header is found”.',
    );
  }
}

async function setSecrets(values: Values, secrets: Record<string, string>): Promise<void> {
  const list = Object.entries(secrets).map(([name, value]) => ({ name, value }));
  await callSecrets(values, 'POST', list);
}

/** Removes the secrets among these that exist: the API may refuse others. */
async function removeSecrets(values: Values, names: string[]): Promise<void> {
  const listed = (await (await callSecrets(values, 'GET')).json()) as { name: string }[];
  const existing = names.filter((name) => listed.some((secret) => secret.name === name));
  if (existing.length > 0) await callSecrets(values, 'DELETE', existing);
}

/** Calls the API for the secrets of the functions, which see a change at their next call: https://supabase.com/docs/reference/api */
async function callSecrets(values: Values, method: string, body?: object): Promise<Response> {
  const url = `https://api.supabase.com/v1/projects/${readProjectRef(values)}/secrets`;
  const headers = {
    Authorization: `Bearer ${values.SUPABASE_ACCESS_TOKEN}`,
    'Content-Type': 'application/json',
  };
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null, signal });
  if (response.ok) return response;
  throw new Error(explainAnswer(url, response.status, await response.text()));
}

async function judge(values: Values): ReturnType<typeof judgeLiveHeaders> {
  const { PUBLIC_SUPABASE_URL: apiUrl = '', SUPABASE_SECRET_KEY: secretKey = '' } = values;
  for (const end = Date.now() + TIMEOUT; ; await delay(PAUSE)) {
    try {
      return await judgeLiveHeaders({ apiUrl, secretKey, isLocal: false }, () => AbortSignal.timeout(10_000));
    } catch (error) {
      if (Date.now() < end) continue;
      throw new Error(`The email function does not say who is calling: ${(error as Error).message}.`);
    }
  }
}
