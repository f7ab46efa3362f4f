import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Values } from '../../shared/variables.ts';
import { explainSilence } from '../explain-answer.ts';
import type { Story, Summary } from '../report.ts';
import { Waitlist } from '../waitlist-client.ts';
import { checkAuth, checkPublicKey, checkUnsubscribe } from './access.ts';
import { checkCallers, judgeLiveHeaders } from './caller-header.ts';
import { fail, type Finding, pass, type Result } from './finding.ts';
import { checkHeaders, checkHost, checkPages, type LiveForm, readForm, readPages } from './site.ts';
import { checkDatabase, checkDelivery, checkSignUp, checkWelcome, type Wait } from './sign-up.ts';
import { readTarget, type Target } from './target.ts';

const PULSE = 500; // milliseconds between two looks at the database
const STEP_TIMEOUT = 30_000; // milliseconds
const PATIENCE = 60_000; // milliseconds for the welcome, and again for the report of its delivery

/** Prints a line for each finding. Resolves to whether none of them has failed. */
export async function printFindings(
  findings: AsyncIterable<Finding>,
  print: (line: string) => void,
  json?: true,
): Promise<boolean> {
  let isFine = true;
  for await (const finding of findings) {
    const { name, status, found, todo } = finding;
    const line = `${status.padEnd(7)}  ${name.padEnd(13)}  ${found.replace(/\.$/, '')}. ${todo}`;
    print(json ? JSON.stringify(finding) : line.trimEnd());
    isFine &&= status !== 'failed';
  }
  return isFine;
}

/**
 * Checks a deployment from outside: its pages, and a sign-up with one of Resend's test addresses, with its welcome. Yields a
 * finding for each step. Always removes its member, even after `stop`; the record of the message stays for 30 days. Never throws.
 */
export async function* probe(values: Values, stop: AbortSignal): AsyncGenerator<Finding> {
  const target = readTarget(values);
  const limit = () => AbortSignal.any([stop, AbortSignal.timeout(STEP_TIMEOUT)]);
  const form = yield* probeSite(target, limit);

  const { apiUrl, secretKey } = target;
  const database = new Waitlist({ PUBLIC_SUPABASE_URL: apiUrl, SUPABASE_SECRET_KEY: secretKey });
  const email = `delivered+probe-${randomBytes(6).toString('hex')}@resend.dev`;
  const inspect = () => database.call<Story | null>('find_member', { email });
  const summarize = () => database.call<Summary>('summarize_waitlist');
  let summary: Summary | undefined;
  yield await attempt('database', '', async () => checkDatabase((summary = await summarize())));
  // Without the database nothing could be removed, so nothing is created.
  if (form === undefined || summary === undefined) return;

  const { deployment } = summary;
  const wait = waitFor(inspect, stop);
  const steps: [name: string, check: () => Promise<Result>, isRequired?: true][] = [
    ['auth', () => checkAuth(target, form, limit())],
    ['unsubscribe', () => checkUnsubscribe(target, limit())],
    // Not canceled: the server would continue with a canceled call, and finish it after the clean-up.
    ['sign-up', () => checkSignUp(target, form, email, AbortSignal.timeout(STEP_TIMEOUT)), true],
    ['public key', () => checkPublicKey(target, form, email, limit())],
    [
      'callers',
      async () => checkCallers(await judgeLiveHeaders(target, limit), deployment?.secret_fingerprint),
    ],
    ['welcome', () => checkWelcome(wait, summarize), true],
    ['delivery', () => checkDelivery(target, wait)],
  ];
  try {
    for (const [name, check, isRequired] of steps) {
      if (stop.aborted) return;
      const todo = 'Check that the project is running, and that its functions are deployed.';
      const finding = await attempt(name, todo, check);
      yield finding;
      if (isRequired && finding.status !== 'ok') return;
    }
  } finally {
    const todo = `Run: ./waitlist remove ${email}${target.isLocal ? '' : ' --hosted'}`;
    yield await attempt('clean-up', todo, async () => {
      await database.call('remove_members', { emails: [email] });
      if (!(await inspect())) return pass('the test address is off the list again');
      throw new Error(`${email} still exists`);
    });
  }
}

/** Yields the findings of the site itself. Returns the form of its landing page. */
async function* probeSite(
  target: Target,
  limit: () => AbortSignal,
): AsyncGenerator<Finding, LiveForm | undefined> {
  let form: LiveForm | undefined;
  const explain = (error: unknown) => fail(explainSilence(target.siteUrl, error), '');
  try {
    const pages = await readPages(target, limit());
    form = readForm(pages[0]!.html);
    yield { name: 'pages', ...checkPages(pages, target) };
    yield { name: 'host', ...(await checkHost(pages, target, limit()).catch(explain)) };
    yield { name: 'headers', ...checkHeaders(pages) };
  } catch (error) {
    yield { name: 'pages', ...explain(error) };
  }
  return form;
}

/** Makes a function that reads a member's story until it is as expected, the time is up, or the probe is stopped. */
function waitFor(inspect: () => Promise<Story | null>, stop: AbortSignal): Wait {
  return async (isEnough) => {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const seen = await inspect();
      if ((seen && isEnough(seen)) || stop.aborted || Date.now() > end) return seen;
      await delay(PULSE);
    }
  };
}

async function attempt(name: string, todo: string, check: () => Promise<Result>): Promise<Finding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    return { name, ...fail((error as Error).message, todo) };
  }
}
