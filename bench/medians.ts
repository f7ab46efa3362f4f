/** The middle one of some figures; what is missing does not count. NaN when there is none. */
export function findMedian(figures: (number | undefined)[]): number {
  const sorted = figures.filter((figure) => figure !== undefined).toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
