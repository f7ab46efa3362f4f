/** The result of one check. A warning does not fail the probe. */
export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  found: string;
  /** What to do; empty if the status is ok. */
  todo: string;
}

export type Result = Omit<Finding, 'name'>;

export function pass(found: string): Result {
  return { status: 'ok', found, todo: '' };
}

export function warn(found: string, todo: string): Result {
  return { status: 'warning', found, todo };
}

export function fail(found: string, todo: string): Result {
  return { status: 'failed', found, todo };
}

/** Fails with the first few faults, or passes if there are none. */
export function judge(faults: string[], whenFine: string, todo: string): Result {
  if (faults.length === 0) return pass(whenFine);
  const shown = faults.slice(0, 3).join('; ');
  return fail(faults.length > 3 ? `${shown}; and ${faults.length - 3} more` : shown, todo);
}
