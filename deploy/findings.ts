/** What a check of set-up found. */
export interface Finding {
  /** What was checked: a variable, a record. */
  subject: string;
  state: 'good' | 'bad' | 'unchecked';
  text: string;
}

const words = { good: 'ok', bad: 'LOOK', unchecked: 'not checked' } as const;

/** Writes a finding as one line. */
export function formatFinding({ subject, state, text }: Finding): string {
  return `${words[state].padEnd(11)}  ${subject}: ${text}`;
}
