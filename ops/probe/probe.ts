import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../shared/database.ts';
import { checkAuth, checkPublicKey } from './access.ts';
import { fail, type Finding, pass, type Result } from './finding.ts';
import { checkHeaders, checkHost, checkPages, type LiveForm, readForm, readPages } from './pages.ts';
import { checkCallers, judgeLiveHeaders } from './caller-header.ts';
import {
  checkDelivery,
  checkLimits,
  checkSignUp,
  checkWelcome,
  type Inspection,
  type Wait,
} from './sign-up.ts';
import type { Target } from './target.ts';

const PULSE = 500; // milliseconds between two looks at the database
const STEP_PATIENCE = 30_000; // milliseconds

/**
 * Checks a deployment from outside: its pages, and a sign-up with one of Resend's test addresses, with its welcome. Yields a
 * finding for each step. Always removes what it created, even after `stop`; only Resend's log keeps the message. Never throws.
 * `patience` is how long it waits for the welcome, and again for the report of its delivery, in milliseconds.
 */
export async function* probe(
  target: Target,
  { stop, patience = 60_000 }: { stop: AbortSignal; patience?: number },
): AsyncGenerator<Finding> {
  const limit = () => AbortSignal.any([stop, AbortSignal.timeout(STEP_PATIENCE)]);
  let form: LiveForm | undefined;
  try {
    const pages = await readPages(target, limit());
    form = readForm(pages[0]!.html);
    yield { name: 'pages', ...checkPages(pages, target) };
    yield { name: 'host', ...checkHost(pages) };
    yield { name: 'headers', ...checkHeaders(pages) };
  } catch (error) {
    const todo = 'Check the URL of the site, its DNS, and that its host is up.';
    yield { name: 'pages', ...fail(`${target.siteUrl}: ${describe(error)}`, todo) };
  }

  const database = new Database({ supabaseUrl: target.apiUrl, secretKey: target.secretKey });
  // forget_probe removes only addresses that start like this.
  const email = `delivered+probe-${randomBytes(6).toString('hex')}@resend.dev`;
  const inspect = async () => (await database.call<Inspection>('inspect_sign_up', { email }))[0]!;
  const todo =
    'Check PUBLIC_SUPABASE_URL and SUPABASE_SECRET_KEY, that the project is running, and that its migrations are up to date.';
  let limits: Result | undefined;
  const reached = await attempt('database', todo, async () => {
    limits = checkLimits(await inspect(), target);
    return pass('reachable with the secret key');
  });
  yield reached;
  if (limits) yield { name: 'limits', ...limits };
  // Without the database nothing could be removed, so nothing is created.
  if (form === undefined || reached.status !== 'ok') return;

  const live = form;
  const wait: Wait = async (isEnough) => {
    const end = Date.now() + patience;
    for (;;) {
      const seen = await inspect();
      if (isEnough(seen) || stop.aborted || Date.now() > end) return seen;
      await delay(PULSE);
    }
  };
  const steps: [name: Finding['name'], check: () => Promise<Result>, isRequired?: true][] = [
    ['auth', () => checkAuth(target, live, limit())],
    // Not canceled: the server would continue with a canceled call, and finish it after the clean-up.
    ['sign-up', () => checkSignUp(target, live, email, AbortSignal.timeout(STEP_PATIENCE)), true],
    ['public key', () => checkPublicKey(target, live, email, limit())],
    ['callers', async () => checkCallers(await judgeLiveHeaders(target, limit))],
    ['welcome', () => checkWelcome(wait), true],
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
    const todo = `Run: ${target.waitlist} remove ${email}`;
    yield await attempt('clean-up', todo, async () => {
      await database.call('forget_probe', { email });
      const { entries, state } = await inspect();
      if (entries === 0 && state === null) return pass('the probe left nothing behind');
      throw new Error(`${email} still exists`);
    });
  }
}

/** Turns an error into a finding: a check that could not run has failed. */
async function attempt(name: Finding['name'], todo: string, check: () => Promise<Result>): Promise<Finding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    return { name, ...fail(describe(error), todo) };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code } = (error.cause ?? {}) as { code?: string };
  return code ? `${error.message} (${code})` : error.message;
}
