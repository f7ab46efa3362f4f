import { readTarget } from './target.ts';
import { runProbe } from './run-probe.ts';

/**
 * Probes the deployment that the environment describes, for deployments and workflows. Its exit
 * status is 0 if nothing failed, 1 if something did, 2 if a value is missing. `npm run waitlist -- probe` does the same for
 * the owner.
 */
try {
  await runProbe(readTarget(process.env));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
