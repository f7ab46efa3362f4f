import { fileURLToPath } from 'node:url';
import type { AstroIntegration, AstroIntegrationLogger } from 'astro';
import { describeMistakes, findMistakes } from './mistakes.ts';

/** How long an editor may take to write a file, or several at once, in milliseconds. */
const SETTLING = 100;

/**
 * Stops a build at mistakes in content/, all of them listed.
 *
 * In development the server goes on: it lists them in the terminal and instead of every page, and shows the
 * pages again as soon as the last one is fixed.
 */
export function contentCheck(): AstroIntegration {
  let root = '';
  return {
    name: 'content-check',
    hooks: {
      'astro:config:setup'({ command, config }) {
        root = fileURLToPath(config.root);
        if (command !== 'build') return;
        const { mistakes } = findMistakes(root);
        if (mistakes.length === 0) return;
        // Not thrown: Astro would print words of its own around the list.
        console.error(describeMistakes(mistakes));
        process.exit(1);
      },
      'astro:server:setup'({ server, logger, refreshContent }) {
        let list = check(root, logger);
        let timer: NodeJS.Timeout | undefined;
        let checked: PromiseWithResolvers<void> | undefined;
        server.watcher.add(['content', 'public'].map((folder) => root + folder));
        const checkSoon = () => {
          clearTimeout(timer);
          checked ??= Promise.withResolvers<void>();
          timer = setTimeout(async () => {
            const before = list;
            try {
              list = check(root, logger, before);
              // After any edit: the loader may have met a file half written, and would not look at it again.
              if (!list) await refreshContent?.({});
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
        // It reports no edit of a file that it has not met yet.
        server.watcher.once('ready', checkSoon);
        server.middlewares.use(async (request, response, next) => {
          if (!request.headers.accept?.includes('text/html')) return next();
          // A page that is drawn too early fails at the same mistake, in other words.
          await checked?.promise;
          if (!list) return next();
          response.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' }).end(draw(list));
        });
      },
    },
  };
}

/** Lists the mistakes, and prints the list when it has changed. */
function check(root: string, logger: AstroIntegrationLogger, before = ''): string {
  const { mistakes } = findMistakes(root);
  const list = mistakes.length > 0 ? describeMistakes(mistakes) : '';
  if (list && list !== before) logger.error(`Mistakes in content/:\n${list}`);
  if (!list && before) logger.info('No mistakes in content/ any more.');
  return list;
}

/** A page that lists the mistakes. It reloads by itself when the list has changed. */
function draw(list: string): string {
  const text = list.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <title>Mistakes in content/</title>
    <script type="module" src="/@vite/client"></script>
  </head>
  <body style="max-width: 60rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.6 sans-serif">
    <h1>Mistakes in content/</h1>
    <pre style="white-space: pre-wrap; font: inherit">${text}</pre>
    <p>The page comes back by itself when they are fixed.</p>
  </body>
</html>
`;
}
