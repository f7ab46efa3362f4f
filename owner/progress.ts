/** Counts the rows that go by, and shows the number on a terminal that shows nothing else. */
export class Progress<Row> {
  rows = 0;
  last: Row | undefined;
  #isShown: boolean;

  /** `isOutputSeen` says that the rows themselves appear on the terminal. */
  constructor({ isOutputSeen }: { isOutputSeen: boolean }) {
    this.#isShown = process.stderr.isTTY === true && !isOutputSeen;
  }

  async *follow(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    try {
      for await (const page of pages) {
        this.rows += page.length;
        this.last = page.at(-1);
        if (this.#isShown) process.stderr.write(`\r${this.rows.toLocaleString('en')} read`);
        yield page;
      }
    } finally {
      if (this.#isShown) process.stderr.write('\r\x1b[K');
    }
  }
}
