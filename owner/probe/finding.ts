/** What the probe saw at one place, and what to do when it is not as it should be. */
export interface Finding {
  name: string;
  ok: boolean;
  found: string;
  /** Empty when all is well. */
  todo: string;
}

export function pass(name: string, found: string): Finding {
  return { name, ok: true, found, todo: '' };
}

export function fail(name: string, found: string, todo: string): Finding {
  return { name, ok: false, found, todo };
}

/** Fails with the first few faults, or passes without any. */
export function judge(name: string, faults: string[], whenFine: string, todo: string): Finding {
  if (faults.length === 0) return pass(name, whenFine);
  const shown = faults.slice(0, 3).join('; ');
  return fail(name, faults.length > 3 ? `${shown}; and ${faults.length - 3} more` : shown, todo);
}
