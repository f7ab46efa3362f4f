import { closest, distance } from 'fastest-levenshtein';

/** Finds the name that somebody may have meant; `undefined` when none is near. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const lower = known.map((one) => one.toLowerCase());
  const nearest = closest(name.toLowerCase(), lower);
  if (distance(name.toLowerCase(), nearest) > Math.max(2, name.length / 3)) return undefined;
  return known[lower.indexOf(nearest)];
}

/** Ends a message with the name that may have been meant, or with all names. */
export function suggest(name: string, known: readonly string[], all: string): string {
  const nearest = findNearest(name, known);
  return nearest ? `Did you mean ${nearest}?` : `${all}: ${known.join(', ')}.`;
}
