/** What a service or DNS said about a value. */
export interface Check {
  /** What was checked: a variable, a host, a DNS record. */
  subject: string;
  /** `bad` stops a deployment. `look` does not: the site would go live, but something would not work. */
  state: 'good' | 'look' | 'bad' | 'unchecked';
  text: string;
}

const words = { good: 'ok', look: 'LOOK', bad: 'FIX', unchecked: 'not checked' } as const;

/** Writes a check as one line. */
export function formatCheck({ subject, state, text }: Check): string {
  return `${words[state].padEnd(11)}  ${subject}: ${text}`;
}

/** Says in one sentence how many checks found something or could not be made; `''` when all are good. */
export function countChecks(checks: Check[]): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  const [unchecked, look] = [count('unchecked'), count('look')];
  const parts = [
    ...(unchecked ? [`${unchecked} ${unchecked === 1 ? 'value' : 'values'} could not be checked`] : []),
    ...(look ? [`${look} ${look === 1 ? 'needs' : 'need'} a look`] : []),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(', ')}.`;
}
