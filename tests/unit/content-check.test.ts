import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contentCheck } from '~/content-check/integration.ts';
import { ContentCopy, payouts } from './content-copy.ts';

type Middleware = (request: object, response: object, next: () => void) => Promise<void>;

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => copy.remove());

/** A development server, as far as the check needs one. */
async function serve() {
  const middlewares: Middleware[] = [];
  const watcher = Object.assign(new EventEmitter(), { add() {} });
  const server = {
    watcher,
    ws: { send() {} },
    middlewares: { use: (it: Middleware) => middlewares.push(it) },
  };
  const refreshContent = vi.fn();
  const logger = { error: vi.fn(), info: vi.fn() };
  const hooks = contentCheck().hooks as Record<string, (options: object) => unknown>;
  const config = { root: pathToFileURL(`${copy.folder}/`) };
  await hooks['astro:config:setup']?.({ command: 'dev', config });
  await hooks['astro:server:setup']?.({ server, logger, refreshContent });
  return {
    logger,
    refreshContent,
    tell: (file: string) => watcher.emit('all', 'change', `${copy.folder}/${file}`),
    open,
  };

  /** What a browser gets: the list of the mistakes, or `undefined` where the page itself is drawn. */
  async function open(): Promise<string | undefined> {
    let html: string | undefined;
    const response = { writeHead: () => ({ end: (text: string) => void (html = text) }) };
    await middlewares[0]?.({ headers: { accept: 'text/html' } }, response, () => {});
    return html;
  }
}

describe('the content check in development', () => {
  it('lets a page that is asked for right after an edit wait for the list, which is said once', async () => {
    const { logger, tell, open } = await serve();
    expect(await open()).toBeUndefined();
    copy.edit(payouts, 'You can', '<Blink /> can');
    tell(payouts);
    expect(await open()).toContain(`${payouts}:6  &lt;Blink> is not known here.`);
    expect(logger.error).toHaveBeenCalledOnce();
  });

  it('has the content loaded again after any edit, since the loader may have met a file half written', async () => {
    const { refreshContent, tell, open } = await serve();
    copy.edit(payouts, 'You can', 'You may');
    tell(payouts);
    expect(await open()).toBeUndefined();
    expect(refreshContent).toHaveBeenCalledOnce();
  });

  it('draws the page that is asked for right after the fix', async () => {
    copy.edit(payouts, 'order: 904', 'order: 903');
    const { logger, tell, open } = await serve();
    expect(await open()).toContain('has the same order');
    copy.edit(payouts, 'order: 903', 'order: 904');
    tell(payouts);
    expect(await open()).toBeUndefined();
    expect(logger.info).toHaveBeenCalledOnce();
  });
});
