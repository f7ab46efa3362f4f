/** Writes pages as one JSON array, a row a line. */
export async function* toJsonArray<Row>(pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let before = '[\n  ';
  for await (const page of pages) {
    yield before + page.map((row) => JSON.stringify(row)).join(',\n  ');
    before = ',\n  ';
  }
  yield before.startsWith('[') ? '[]\n' : '\n]\n';
}

/** Writes pages as text, a row a line. */
export async function* toLines<Row>(
  pages: AsyncIterable<Row[]>,
  format: (row: Row) => string,
): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((row) => `${format(row)}\n`).join('');
}

/** Writes a time in UTC to the second, as a person reads it. */
export function formatTime(moment: string): string {
  return moment.replace(/\.\d+Z$/, 'Z');
}
