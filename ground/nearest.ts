import { closest, distance } from 'fastest-levenshtein';

/** Finds the name that somebody probably meant; `undefined` when none is similar. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const lower = known.map((one) => one.toLowerCase());
  const nearest = closest(name.toLowerCase(), lower);
  if (distance(name.toLowerCase(), nearest) <= Math.max(2, name.length / 3))
    return known[lower.indexOf(nearest)];
  // The first word of a longer name, such as /terms.
  return name.length > 3
    ? known.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}-`))
    : undefined;
}

/** Returns the end of a message: the name that was probably meant, or all names. */
export function suggest(name: string, known: readonly string[], all: string): string {
  const nearest = findNearest(name, known);
  return nearest ? `Did you mean ${nearest}?` : `${all}: ${known.join(', ')}.`;
}
