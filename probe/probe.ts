import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../functions/database.ts';
import { checkAuth, checkCors, checkPublicKey } from './access.ts';
import { fail, type Finding, pass } from './finding.ts';
import { checkHeaders, checkPolicy } from './headers.ts';
import {
  checkForm,
  checkHost,
  checkPages,
  checkPlaceholders,
  checkUnknownPaths,
  type LiveForm,
  type LivePage,
  readForm,
  readPages,
} from './pages.ts';
import {
  checkCallers,
  checkDelivery,
  checkEntry,
  checkSignUp,
  checkWelcome,
  type Inspection,
  type Wait,
} from './sign-up.ts';
import type { Target } from './target.ts';

const PULSE = 500; // milliseconds between two looks at the database
const STEP_PATIENCE = 30_000; // milliseconds

interface ProbeOptions {
  /** Stops the probe. What it made is removed all the same. */
  stop: AbortSignal;
  /** How long to wait for the welcome, and again for the report of its delivery, in milliseconds. */
  patience?: number;
}

/**
 * Checks a deployment from outside: its pages, and one sign-up with its welcome, to a test address of Resend. Yields a finding
 * for each step. Removes what it made, whatever happens; the message stays in Resend's log. Never throws.
 */
export async function* probe(target: Target, options: ProbeOptions): AsyncGenerator<Finding> {
  const form = yield* probePages(target, options.stop);
  const database = new Database({ supabaseUrl: target.apiUrl, secretKey: target.secretKey });
  // forget_probe removes only addresses that start like this.
  const email = `delivered+probe-${randomBytes(6).toString('hex')}@resend.dev`;
  const inspect = async () => (await database.call<Inspection>('inspect_sign_up', { email }))[0]!;
  try {
    await inspect();
    yield pass('database', 'reachable with the secret key');
  } catch (error) {
    // Without it nothing could be removed, so nothing is made.
    yield fail('database', describe(error), databaseAdvice);
    return;
  }
  if (form === undefined || options.stop.aborted) return;
  const remove = async () => {
    await database.call('forget_probe', { email });
    const { entries, state } = await inspect();
    if (entries === 0 && state === null) return pass('clean-up', 'nothing of the probe remains');
    throw new Error(`${email} still exists`);
  };
  try {
    yield* probeSignUp(target, form, email, inspect, options);
  } finally {
    yield await attempt(
      'clean-up',
      `Run: npm run waitlist -- ${target.isLocal ? '' : '--hosted '}remove ${email}`,
      remove,
    );
  }
}

const databaseAdvice =
  'Check PUBLIC_SUPABASE_URL and SUPABASE_SECRET_KEY, that the project is running, and that its migrations are up to date.';
const siteAdvice = 'Check the URL of the site, its DNS, and that its host is up.';
const projectAdvice = 'Check that the project is running, and that its functions are deployed.';

async function* probePages(target: Target, stop: AbortSignal): AsyncGenerator<Finding, LiveForm | undefined> {
  let pages: LivePage[];
  try {
    pages = await readPages(target, stop);
  } catch (error) {
    yield fail('pages', `${target.siteUrl}: ${describe(error)}`, siteAdvice);
    return undefined;
  }
  const form = readForm(pages[0]!.html);
  yield checkPages(pages, target);
  yield checkForm(form, target);
  yield checkPlaceholders(pages, target);
  yield checkHost(pages);
  yield checkHeaders(pages);
  yield checkPolicy(pages, form);
  yield await attempt('unknown paths', siteAdvice, () => checkUnknownPaths(target, stop));
  return form;
}

async function* probeSignUp(
  target: Target,
  form: LiveForm,
  email: string,
  inspect: () => Promise<Inspection>,
  { patience = 60_000, stop }: ProbeOptions,
): AsyncGenerator<Finding> {
  const wait: Wait = async (isEnough) => {
    const end = Date.now() + patience;
    for (;;) {
      const seen = await inspect();
      if (isEnough(seen) || stop.aborted || Date.now() > end) return seen;
      await delay(PULSE);
    }
  };
  yield await attempt('cors', projectAdvice, () => checkCors(target, form, limit(stop)));
  yield await attempt('auth', projectAdvice, () => checkAuth(target, form, limit(stop)));
  // Not stopped: a call that is broken off continues at the other end, and would finish after the clean-up.
  const signedUp = await attempt('sign-up', projectAdvice, () =>
    checkSignUp(target, form, email, AbortSignal.timeout(STEP_PATIENCE)),
  );
  yield signedUp;
  if (signedUp.status === 'failed') return;
  const steps: Record<string, () => Promise<Finding>> = {
    entry: () => checkEntry(target, form, email, inspect, limit(stop)),
    'public key': () => checkPublicKey(target, form, email, limit(stop)),
    callers: async () => checkCallers(await inspect(), target),
  };
  for (const [name, step] of Object.entries(steps)) {
    if (stop.aborted) return;
    yield await attempt(name, projectAdvice, step);
  }
  const welcome = await attempt('welcome', projectAdvice, () => checkWelcome(wait));
  yield welcome;
  if (welcome.status !== 'ok' || stop.aborted) return;
  yield await attempt('delivery', projectAdvice, () => checkDelivery(target, wait, limit(stop)));
}

/** Turns an error into a finding: a check that could not be made failed. */
async function attempt(name: string, todo: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return fail(name, describe(error), todo);
  }
}

/** Stops a step that hangs. */
function limit(stop: AbortSignal): AbortSignal {
  return AbortSignal.any([stop, AbortSignal.timeout(STEP_PATIENCE)]);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code } = (error.cause ?? {}) as { code?: string };
  return code ? `${error.message} (${code})` : error.message;
}
