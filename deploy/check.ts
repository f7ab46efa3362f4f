import { describeFault, type Values } from '../functions/variables.ts';
import { type Check, checkValues } from './check-values.ts';
import { findFaults, omitFaulty } from './faults.ts';

/** The result of checking the values of a deployment. */
interface Review {
  /** What stops a deployment, in sentences. */
  obstacles: string[];
  /** Everything else that the services and DNS say. */
  checks: Check[];
}

/** Checks the values on their own, then those without a fault with their services and with DNS. Changes nothing there. */
export async function review(values: Values): Promise<Review> {
  const faults = findFaults(values);
  const checks = await checkValues(omitFaulty(values, faults));
  const bad = checks.filter(({ state }) => state === 'FIX');
  return {
    obstacles: [...faults.map(describeFault), ...bad.map(({ subject, text }) => `${subject}: ${text}.`)],
    checks: checks.filter((check) => !bad.includes(check)),
  };
}

/** Formats what stops a deployment as a list. */
export function formatObstacles(obstacles: string[]): string {
  return `Fix these before deploying:\n${obstacles.map((line) => `  ${line}`).join('\n')}`;
}

/** Formats a check as one line. */
export function formatCheck({ subject, state, text }: Check): string {
  return `${state.padEnd(11)}  ${subject}: ${text}`;
}

/** Returns one sentence about the checks that could not run or need a look; `''` when all are good. */
export function countChecks(checks: Check[]): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  const [unchecked, look] = [count('not checked'), count('LOOK')];
  const parts = [
    ...(unchecked ? [`${unchecked} ${unchecked === 1 ? 'value' : 'values'} could not be checked`] : []),
    ...(look ? [`${look} ${look === 1 ? 'needs' : 'need'} a look`] : []),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(', ')}.`;
}
