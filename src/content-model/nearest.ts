/** Finds the name that somebody probably meant; `undefined` when none is similar. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const edits = known.map((one) => countEdits(name.toLowerCase(), one.toLowerCase()));
  const fewest = Math.min(...edits);
  if (fewest <= Math.max(2, name.length / 3)) return known[edits.indexOf(fewest)];
  // The first word of a longer name, such as /terms.
  return name.length > 3
    ? known.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}-`))
    : undefined;
}

/** Returns the end of a message: the name that was probably meant, or all names. */
export function suggest(name: string, known: readonly string[], all: string): string {
  const nearest = findNearest(name, known);
  return nearest ? `Did you mean ${nearest}?` : `${all}: ${known.join(', ') || 'none'}.`;
}

/** Counts the letters to insert, remove or replace to get from one word to another: https://en.wikipedia.org/wiki/Levenshtein_distance */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < to.length; j++)
      row.push(Math.min(above[j + 1]! + 1, row[j]! + 1, above[j]! + (from[i] === to[j] ? 0 : 1)));
  }
  return row.at(-1)!;
}
