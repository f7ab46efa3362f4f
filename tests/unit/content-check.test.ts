import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collections } from '~/content-check/collections.ts';
import { contentCheck } from '~/content-check/integration.ts';
import { loadFiles } from '~/content-check/loader.ts';
import { ContentCopy, payouts } from './content-copy.ts';

type Middleware = (request: object, response: object, next: () => void) => Promise<void>;

let copy: ContentCopy;
beforeEach(() => void (copy = new ContentCopy()));
afterEach(() => {
  copy.remove();
  vi.restoreAllMocks();
});

/** The parts of a development server that the check uses. */
async function serve() {
  const middlewares: Middleware[] = [];
  const watcher = Object.assign(new EventEmitter(), { add() {} });
  const server = {
    watcher,
    ws: { send() {} },
    middlewares: { use: (it: Middleware) => middlewares.push(it) },
  };
  const refreshContent = vi.fn(async ({ context }: { context: { isDone: boolean } }): Promise<void> => {
    // Astro silently skips the first one.
    context.isDone = refreshContent.mock.calls.length > 1;
  });
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

  /** Resolves to the list of mistakes that the browser gets; `undefined` when it gets the page instead. */
  async function open(): Promise<string | undefined> {
    let html: string | undefined;
    const response = { writeHead: () => ({ end: (text: string) => void (html = text) }) };
    await middlewares[0]?.({ headers: { accept: 'text/html' } }, response, () => {});
    return html;
  }
}

describe('the content check in development', () => {
  it('answers a request right after an edit with the new list, and logs the list once', async () => {
    const { logger, tell, open } = await serve();
    expect(await open()).toBeUndefined();
    copy.edit(payouts, 'You can', '<Blink /> can');
    tell(payouts);
    expect(await open()).toContain(`${payouts}:6  Visitors would see &lt;Blink /&gt; as typed.`);
    expect(logger.error).toHaveBeenCalledOnce();
  });

  it('reloads the content after every edit until Astro does it, because the loader may have read a half-written file', async () => {
    const { refreshContent, tell, open } = await serve();
    copy.edit(payouts, 'You can', 'You may');
    tell(payouts);
    expect(await open()).toBeUndefined();
    await vi.waitFor(() => expect(refreshContent).toHaveBeenCalledTimes(2));
  });

  it('shows a page that is requested right after the fix', async () => {
    copy.edit(payouts, 'order: 904', 'order: 903');
    const { logger, tell, open } = await serve();
    expect(await open()).toContain('has the same order');
    copy.edit(payouts, 'order: 903', 'order: 904');
    tell(payouts);
    expect(await open()).toBeUndefined();
    expect(logger.info).toHaveBeenCalledOnce();
  });

  it('ignores a failed load, which a build does not', async () => {
    const { load } = loadFiles(collections.hero);
    const refreshContextData = { isDone: false };
    await load({ logger: {}, watcher: new EventEmitter(), refreshContextData } as never);
    expect(refreshContextData.isDone).toBe(true);
    await expect(load({ logger: {} } as never)).rejects.toThrow();
  });
});

it('a single mistake stops a build, which lists it', async () => {
  copy.edit(payouts, 'You can', '<Blink /> can');
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const print = vi.spyOn(console, 'error').mockReturnValue();
  const hooks = contentCheck().hooks as Record<string, (options: object) => unknown>;
  await hooks['astro:config:setup']?.({
    command: 'build',
    config: { root: pathToFileURL(`${copy.folder}/`) },
  });
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(print).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`${payouts}:`));
});
