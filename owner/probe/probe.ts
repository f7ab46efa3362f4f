import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../functions/database.ts';
import { checkCors, checkPublicKey } from './access.ts';
import { fail, type Finding, pass } from './finding.ts';
import { checkHeaders, checkPolicy } from './headers.ts';
import {
  checkForm,
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
  checkLimits,
  checkSignUp,
  checkWelcome,
  type Inspection,
  type Wait,
} from './sign-up.ts';
import type { Target } from './target.ts';

const PULSE = 500; // milliseconds between two looks at the database
const STEP_PATIENCE = 30_000; // milliseconds

/** What a deployment may do without, and a probe cannot tell from outside: findings that then say "not known". */
export const optionalFindings = ['callers', 'delivery'] as const;

interface ProbeOptions {
  /** How long to wait for the welcome, in milliseconds, and as long again for the news of its delivery. */
  patience: number;
  /** Of those, what this deployment does not do without. */
  expected: readonly (typeof optionalFindings)[number][];
  /** Breaks off. What was made is removed all the same. */
  stop: AbortSignal;
}

/**
 * Looks at a deployment from outside: at its pages, and at one sign-up on its whole way, to an address of Resend's own.
 * What it made it removes again, whatever happens; the message itself stays in the provider's log. Never throws.
 */
export async function* probe(target: Target, options: ProbeOptions): AsyncGenerator<Finding> {
  const form = yield* probePages(target, options.stop);
  const database = new Database({ supabaseUrl: target.apiUrl, secretKey: target.secretKey });
  // By this beginning the database knows what it may remove for a probe.
  const address = `delivered+probe-${randomBytes(6).toString('hex')}@resend.dev`;
  const inspect = async () => (await database.call<Inspection>('inspect_sign_up', { address }))[0]!;
  try {
    yield checkLimits(await inspect());
  } catch (error) {
    // Nothing is made that could not be removed.
    yield fail('database', describe(error), databaseAdvice);
    return;
  }
  if (form === undefined || options.stop.aborted) return;
  const remove = async () => {
    await database.call('forget_probe', { address });
    const { entries, state } = await inspect();
    if (entries === 0 && state === null) return pass('clean-up', 'nothing of the probe is left');
    throw new Error(`${address} is still there`);
  };
  try {
    yield* probeSignUp(target, form, address, inspect, options);
  } finally {
    yield await remove().catch((error) =>
      fail(
        'clean-up',
        describe(error),
        `Run: npm run waitlist -- ${target.isLocal ? '' : '--hosted '}remove ${address}`,
      ),
    );
  }
}

const databaseAdvice =
  'Check SUPABASE_URL and SUPABASE_SECRET_KEY, and that the project is up and at the newest migration.';
const siteAdvice = 'Check the address of the site, its DNS, and that its host is up.';
const projectAdvice = 'Check that the project is up, and that its functions are deployed.';

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
  yield checkHeaders(pages);
  yield checkPolicy(pages, form);
  yield await attempt('unknown paths', siteAdvice, () => checkUnknownPaths(target, stop));
  return form;
}

async function* probeSignUp(
  target: Target,
  form: LiveForm,
  address: string,
  inspect: () => Promise<Inspection>,
  { patience, expected, stop }: ProbeOptions,
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
  // Not to be stopped: a call that is broken off goes on at the other end, and would be done after the clean-up.
  const signedUp = await attempt('sign-up', projectAdvice, () =>
    checkSignUp(target, form, address, AbortSignal.timeout(STEP_PATIENCE)),
  );
  yield signedUp;
  if (!signedUp.ok) return;
  const steps: Record<string, () => Promise<Finding>> = {
    entry: () => checkEntry(target, form, address, inspect, limit(stop)),
    'public key': () => checkPublicKey(target, form, address, limit(stop)),
    callers: async () => checkCallers(await inspect(), target, expected.includes('callers')),
  };
  for (const [name, step] of Object.entries(steps)) {
    if (stop.aborted) return;
    yield await attempt(name, projectAdvice, step);
  }
  const welcome = await attempt('welcome', projectAdvice, () => checkWelcome(wait));
  yield welcome;
  if (!welcome.ok || stop.aborted) return;
  yield await attempt('delivery', projectAdvice, () =>
    checkDelivery(target, wait, expected.includes('delivery'), limit(stop)),
  );
}

/** Makes a finding of an error: that something could not be looked at is one. */
async function attempt(name: string, todo: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return fail(name, describe(error), todo);
  }
}

/** What one step may take: what hangs is not well. */
function limit(stop: AbortSignal): AbortSignal {
  return AbortSignal.any([stop, AbortSignal.timeout(STEP_PATIENCE)]);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code } = (error.cause ?? {}) as { code?: string };
  return code ? `${error.message} (${code})` : error.message;
}
