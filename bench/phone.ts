import { type CDPSession, chromium, type Page } from '@playwright/test';
import { findFreePort } from '../local/settings.ts';
import { ensureBrowser } from '../tests/browser.ts';
import type { Certificate } from './server.ts';

const CPU_SLOWDOWN = 4;
// What a request feels on Lighthouse's slow 4G (150 ms there and back, 1.6 Mbit/s), applied to every request.
const SLOW_4G = {
  offline: false,
  latency: 562.5, // milliseconds
  downloadThroughput: (1.6 * 0.9 * 1024 * 1024) / 8, // bytes a second
  uploadThroughput: (675 * 1024) / 8,
};
const device = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};

interface Visit {
  page: Page;
  devtools: CDPSession;
  /** The port on which other tools reach the same browser. */
  port: number;
}

/** A middling phone with an empty cache, on a machine that reaches nothing but itself. */
export class Phone {
  readonly #browser = ensureBrowser();
  readonly #certificate: Certificate;

  constructor(certificate: Certificate) {
    this.#certificate = certificate;
  }

  /** Opens a new browser for one visit. A slow one has slow 4G and a slow processor, really applied. */
  async visit<Result>(go: (visit: Visit) => Promise<Result>, { isSlow = false } = {}): Promise<Result> {
    const port = await findFreePort();
    const browser = await chromium.launch({ executablePath: this.#browser, args: this.#flags(port) });
    try {
      const page = await browser.newPage(device);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      if (isSlow) {
        await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
      }
      return await go({ page, devtools, port });
    } finally {
      await browser.close();
    }
  }

  #flags(port: number): string[] {
    return [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      `--ignore-certificate-errors-spki-list=${this.#certificate.keyHash}`,
      `--remote-debugging-port=${port}`,
    ];
  }
}
