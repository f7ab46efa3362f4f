/** The result of checking a value with a service or with DNS. */
export interface Check {
  /** The subject of the check: a variable, a host, a DNS record. */
  subject: string;
  /** `bad` stops a deployment. `look` does not: the site goes live, but something will not work. */
  state: 'good' | 'look' | 'bad' | 'unchecked';
  text: string;
}

const words = { good: 'ok', look: 'LOOK', bad: 'FIX', unchecked: 'not checked' } as const;

/** Formats a check as one line. */
export function formatCheck({ subject, state, text }: Check): string {
  return `${words[state].padEnd(11)}  ${subject}: ${text}`;
}

/** Returns one sentence about how many checks failed or could not run; `''` when all are good. */
export function countChecks(checks: Check[]): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  const [unchecked, look] = [count('unchecked'), count('look')];
  const parts = [
    ...(unchecked ? [`${unchecked} ${unchecked === 1 ? 'value' : 'values'} could not be checked`] : []),
    ...(look ? [`${look} ${look === 1 ? 'needs' : 'need'} a look`] : []),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(', ')}.`;
}
