import type { Reporter } from '@playwright/test/reporter';

/** Prints at the end of a run which browsers were not tested, and how to install them. */
export default class LeftOut implements Reporter {
  readonly #browsers: string[];

  constructor({ browsers }: { browsers: string[] }) {
    this.#browsers = browsers;
  }

  onEnd(): void {
    if (this.#browsers.length === 0) return;
    console.log(
      `\n  Not tested in ${this.#browsers.join(' and ')}, which this machine lacks. ` +
        `To install: npx playwright install --with-deps ${this.#browsers.join(' ')}\n`,
    );
  }
}
