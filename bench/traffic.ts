import { brotliCompressSync } from 'node:zlib';
import type { CDPSession, Page } from '@playwright/test';

const kinds = {
  Document: 'page',
  Script: 'script',
  Stylesheet: 'style',
  Image: 'picture',
  Font: 'font',
} as const;

/** Bytes as they were sent, headers included, by what they were. */
export interface Bytes {
  page: number;
  script: number;
  style: number;
  picture: number;
  font: number;
  other: number;
}

/** Listens to what a page fetches. */
export class Traffic {
  readonly #open = new Map<string, keyof Bytes>();
  readonly #bytes: Bytes = { page: 0, script: 0, style: 0, picture: 0, font: 0, other: 0 };
  #latest = Date.now();

  constructor(devtools: CDPSession) {
    devtools.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
      if (!request.url.startsWith('https:')) return;
      this.#latest = Date.now();
      this.#open.set(requestId, kinds[type as keyof typeof kinds] ?? 'other');
    });
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = this.#open.get(requestId);
      if (kind) this.#bytes[kind] += encodedDataLength;
      this.#close(requestId);
    });
    devtools.on('Network.loadingFailed', ({ requestId }) => this.#close(requestId));
  }

  /** What has arrived so far. */
  read(): Bytes {
    return { ...this.#bytes };
  }

  /** Resolves once nothing was fetched for a second. */
  async settle(): Promise<void> {
    while (this.#open.size > 0 || Date.now() - this.#latest < 1_000) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  #close(requestId: string): void {
    this.#open.delete(requestId);
    this.#latest = Date.now();
  }
}

/** Weighs what stands in the page itself: scripts that run, and style. Bytes after brotli. */
export async function weighInline(page: Page): Promise<{ script: number; style: number }> {
  const texts = await page.evaluate(() => {
    const read = (selector: string) =>
      [...document.querySelectorAll(selector)].map(({ textContent }) => textContent).join('\n');
    return {
      script: read('script:not([src]):is(:not([type]), [type=module], [type="text/javascript"])'),
      style: read('style'),
    };
  });
  const weigh = (text: string) => (text ? brotliCompressSync(text).length : 0);
  return { script: weigh(texts.script), style: weigh(texts.style) };
}
