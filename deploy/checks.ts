/** What a check of set-up found. */
export interface Check {
  /** What was checked: a variable, a record. */
  subject: string;
  state: 'good' | 'bad' | 'unchecked';
  text: string;
}

const words = { good: 'ok', bad: 'LOOK', unchecked: 'not checked' } as const;

/** Writes a check as one line. */
export function formatCheck({ subject, state, text }: Check): string {
  return `${words[state].padEnd(11)}  ${subject}: ${text}`;
}
