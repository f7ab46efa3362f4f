import { site } from '../../src/config/site.ts';
import { fail, pass, type Result, warn } from './finding.ts';
import type { Target } from './target.ts';

/** What the email function reports about one call: its caller header, and the caller that it reads from each header. */
interface Report {
  header: string | null;
  callers: Record<string, string>;
  /** Of its TOKEN_SECRET. */
  fingerprint?: string;
}

/** Makes a call with more headers; `undefined` when the platform refuses it. */
type Ask = (headers: Record<string, string>) => Promise<Report | undefined>;

/**
 * `trusted`: it contains the caller's own address, and no forged call changed that. `foreign`: nobody forged it, but it
 * contains another address, such as that of a proxy, which all callers share.
 */
type Verdict = 'trusted' | 'forgeable' | 'foreign';

type Judgment = Omit<Report, 'callers'> & { verdicts: Record<string, Verdict> };

/** Addresses for documentation, which nobody calls from: https://www.rfc-editor.org/rfc/rfc5737 */
const invented = ['198.51.100.7', '203.0.113.7'];
/** A header may be forged alone or as a list, to which a proxy appends. */
const forgeries = [invented.at(-1)!, invented.join(', ')];

/** Headers from which platforms have been seen to take the address. Others that the honest call shows are forged, too. */
const known = [
  'cf-connecting-ip',
  'fastly-client-ip',
  'true-client-ip',
  'x-client-ip',
  'x-forwarded-for',
  'x-real-ip',
];

/** Carries our own address to the function, which reports it in the same form as the others. */
const ownHeader = 'x-own-address';

/** Judges every header of an honest call that contains an IP address, by calls that forge it. */
export async function judgeHeaders(ask: Ask, own: string): Promise<Judgment> {
  const honest = await ask({ [ownHeader]: own });
  if (honest === undefined)
    throw new Error('the function refuses SUPABASE_SECRET_KEY, or is older than this check');
  const { [ownHeader]: self, ...callers } = honest.callers;
  const names = Object.keys(callers);
  const all = [...new Set([...known, ...names])];
  const forge = (which: string[], value: string) => Object.fromEntries(which.map((name) => [name, value]));
  const forged: Report[] = [];
  for (const value of forgeries)
    for (const which of [all, ...all.map((name) => [name])]) {
      // One after the other, because at once they could take connections with different addresses.
      const report = await ask(forge(which, value));
      if (report) forged.push(report);
    }
  const verdicts = names.map((name): [string, Verdict] => {
    const seen = forged.map(({ callers }) => callers[name]);
    // A caller who can make it disappear has forged it, too.
    if (seen.some((caller) => !caller || invented.includes(caller))) return [name, 'forgeable'];
    return [name, callers[name] === self ? 'trusted' : 'foreign'];
  });
  return { ...honest, verdicts: Object.fromEntries(verdicts) };
}

/** Asks the live email function, and judges the headers of this machine's calls. Rejects while it does not answer. */
export async function judgeLiveHeaders(
  { apiUrl, secretKey, isLocal }: Pick<Target, 'apiUrl' | 'secretKey' | 'isLocal'>,
  makeSignal: () => AbortSignal,
): Promise<Judgment> {
  const url = new URL(`${site.emailFunctionPath}/caller`, apiUrl);
  const ask: Ask = async (headers) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, apikey: secretKey },
      signal: makeSignal(),
    });
    if (response.ok) return (await response.json()) as Report;
    await response.body?.cancel();
    if (response.status >= 500) throw new Error(`the function answers ${response.status}`);
    return undefined;
  };
  return judgeHeaders(ask, isLocal ? '127.0.0.1' : await readOwnAddress(apiUrl, makeSignal));
}

/** Finds a header that shows each caller's own address and cannot be forged. */
export function findTrusted(verdicts: Record<string, Verdict>): string | undefined {
  return Object.keys(verdicts).find((name) => verdicts[name] === 'trusted');
}

/**
 * Checks that the function tells callers apart by a header that they cannot forge, and that it makes the same hashes of callers and
 * members as those in the database, whose fingerprint is `known`.
 */
export function checkCallers(judgment: Judgment, known?: string): Result {
  const { header, verdicts, fingerprint = known } = judgment;
  if (known && fingerprint !== known)
    return fail(
      'the functions have another TOKEN_SECRET than the one that made the hashes of the database, so unsubscribe links do not work',
      'Deploy again with the TOKEN_SECRET of this database.',
    );
  const trusted = findTrusted(verdicts);
  const cure = trusted
    ? `Deploy again: ./waitlist deploy sets CALLER_HEADER to ${trusted}. If you set CALLER_HEADER by hand, remove it first.`
    : 'No header can be trusted from here. See docs/deploy.md, “When no caller header is found”.';
  if (header === null) {
    const found = 'the function cannot see who is calling, so callers are not limited';
    return trusted ? fail(found, cure) : warn(found, cure);
  }
  if (verdicts[header] === 'trusted')
    return pass(`the function sees this caller in ${header}, and nobody can forge it`);
  return fail(`${header} does not tell callers apart: it is ${verdicts[header] ?? 'missing'}`, cure);
}

/**
 * Reads this machine's public address from a host behind Cloudflare, such as that of the project:
 * https://developers.cloudflare.com/fundamentals/reference/cdn-cgi-endpoint/
 */
async function readOwnAddress(apiUrl: string, makeSignal: () => AbortSignal): Promise<string> {
  for (const host of [apiUrl, 'https://api.cloudflare.com']) {
    const response = await fetch(new URL('/cdn-cgi/trace', host), { signal: makeSignal() });
    const address = /^ip=(\S+)$/m.exec(await response.text())?.[1];
    if (address) return address;
  }
  throw new Error(`${apiUrl} does not report this machine's address`);
}
