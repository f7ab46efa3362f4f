/** The result of one check. Visitors do not notice the cause of a warning, and it does not fail the probe. */
export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  found: string;
  /** What to do; empty if the status is ok. */
  todo: string;
}

export function pass(name: string, found: string): Finding {
  return { name, status: 'ok', found, todo: '' };
}

export function warn(name: string, found: string, todo: string): Finding {
  return { name, status: 'warning', found, todo };
}

export function fail(name: string, found: string, todo: string): Finding {
  return { name, status: 'failed', found, todo };
}

/** Fails with the first few faults, or passes if there are none. */
export function judge(name: string, faults: string[], whenFine: string, todo: string): Finding {
  if (faults.length === 0) return pass(name, whenFine);
  const shown = faults.slice(0, 3).join('; ');
  return fail(name, faults.length > 3 ? `${shown}; and ${faults.length - 3} more` : shown, todo);
}
