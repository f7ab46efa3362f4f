import { fileURLToPath } from 'node:url';
import type { AstroIntegration, AstroIntegrationLogger } from 'astro';
import { escapeHtml } from '../../ground/escape-html.ts';
import { drawDevelopmentPage } from '../development-page.ts';
import { checkContent, describe } from './check.ts';

/** Milliseconds to wait after a change, because editors write a file, or several files, in steps. */
const SETTLING = 100;

/** Stops a build when content/ has mistakes. The development server lists them instead of every page until they are fixed. */
export function contentCheck(): AstroIntegration {
  let root = '';
  return {
    name: 'content-check',
    hooks: {
      async 'astro:config:setup'({ command, config }) {
        root = fileURLToPath(config.root);
        if (command !== 'build') return;
        const list = describe((await checkContent(root)).mistakes);
        if (!list) return;
        // Not thrown, because Astro would add its own text around the list.
        console.error(list);
        process.exit(1);
      },
      async 'astro:server:setup'({ server, logger, refreshContent }) {
        let list = await check(root, logger);
        let timer: NodeJS.Timeout | undefined;
        let checked: PromiseWithResolvers<void> | undefined;
        server.watcher.add(['content', 'public'].map((folder) => root + folder));
        const checkSoon = () => {
          clearTimeout(timer);
          checked ??= Promise.withResolvers<void>();
          timer = setTimeout(async () => {
            const before = list;
            try {
              list = await check(root, logger, before);
              // After every edit: the loader may have read a half-written file, and would not read it again.
              const refresh = { isDone: false };
              if (!list) await refreshContent?.({ context: refresh });
              // Astro silently skips a refresh while it reads src/content.config.ts.
              if (!list && !refresh.isDone) checkSoon();
              if (list !== before) server.ws.send({ type: 'full-reload' });
            } finally {
              checked?.resolve();
              checked = undefined;
            }
          }, SETTLING);
        };
        server.watcher.on('all', (_event, file) => {
          if (/^(content|public)\//.test(file.slice(root.length).replaceAll('\\', '/'))) checkSoon();
        });
        // Until the watcher is ready, it misses edits of files that it has not seen yet.
        server.watcher.once('ready', checkSoon);
        server.middlewares.use(async (request, response, next) => {
          if (!request.headers.accept?.includes('text/html')) return next();
          // A page that is rendered before the check has finished would fail with a less helpful message.
          await checked?.promise;
          if (!list) return next();
          const body = `<pre style="white-space: pre-wrap; font: inherit">${escapeHtml(list)}</pre>
            <p>The page comes back by itself when they are fixed.</p>`;
          const page = drawDevelopmentPage('Mistakes in content/', body);
          response.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
        });
      },
    },
  };
}

/** Lists the mistakes, and prints the list when it has changed. */
async function check(root: string, logger: AstroIntegrationLogger, before = ''): Promise<string> {
  const list = describe((await checkContent(root)).mistakes);
  if (list && list !== before) logger.error(`Mistakes in content/:\n${list}`);
  if (!list && before) logger.info('No mistakes are left in content/.');
  return list;
}
