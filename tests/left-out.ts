import type { FullConfig, Reporter } from '@playwright/test/reporter';

/** Prints at the end of a run in which browsers the tests ran, and how to install the others. */
export default class LeftOut implements Reporter {
  readonly #missing: string[];
  #tested: string[] = [];

  constructor({ browsers }: { browsers: string[] }) {
    this.#missing = browsers;
  }

  onBegin({ projects }: FullConfig): void {
    this.#tested = projects.map(({ name }) => name);
  }

  onEnd(): void {
    console.log(`\n  Tested in ${this.#tested.join(', ')}.`);
    if (this.#missing.length === 0) return;
    console.log(
      `  Not tested in ${this.#missing.join(' and ')}, which this machine lacks. ` +
        `To install: npx playwright install --with-deps ${this.#missing.join(' ')}\n`,
    );
  }
}
