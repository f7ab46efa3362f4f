import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { escapeHtml } from '../../shared/escape-html.ts';
import { checkContent } from '../content-model/check/check.ts';
import { formatProblems } from '../content-model/check/problem.ts';

/** Stops a build when content/ has mistakes. The development server lists them instead of every page until they are fixed. */
export function contentCheck(): AstroIntegration {
  let root = '';
  const listMistakes = async () => formatProblems((await checkContent(root)).mistakes);
  return {
    name: 'content-check',
    hooks: {
      async 'astro:config:setup'({ command, config }) {
        root = fileURLToPath(config.root);
        if (command !== 'build') return;
        const list = await listMistakes();
        if (!list) return;
        // Not thrown, because Astro would add its own text around the list.
        console.error(list);
        process.exit(1);
      },
      'astro:server:setup'({ server, logger, refreshContent }) {
        let before = '';
        const check = async () => {
          const list = await listMistakes();
          if (list && list !== before) logger.error(`Mistakes in content/:\n${list}`);
          if (!list && before) logger.info('No mistakes are left in content/.');
          before = list;
          // After every edit: the loader may have read a half-written file, and would not read it again. Astro silently skips a
          // refresh while it reads src/content.config.ts.
          const refresh = { isDone: list !== '' };
          for (let tries = 0; !refresh.isDone && tries < 100; tries += 1) {
            await refreshContent!({ context: refresh });
            await delay(50);
          }
          return list;
        };
        let checked: Promise<string> | undefined;
        const checkAgain = () => {
          checked = undefined;
          server.ws.send({ type: 'full-reload' });
        };
        server.watcher.add(['content', 'public'].map((folder) => root + folder));
        server.watcher.on('all', (_event, file) => {
          if (
            /^(content|public)\/|^src\/config\/site\.ts$/.test(file.slice(root.length).replaceAll('\\', '/'))
          )
            checkAgain();
        });
        server.watcher.once('ready', checkAgain);
        server.middlewares.use(async (request, response, next) => {
          if (!request.headers.accept?.includes('text/html')) return next();
          const list = await (checked ??= check());
          if (!list) return next();
          // While the watcher gets ready, it misses edits, perhaps the one that fixes them.
          checked = undefined;
          response.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' }).end(drawPage(list));
        });
      },
    },
  };
}

/** Draws the page that lists mistakes. Vite's client loads the real page again once they are fixed. */
function drawPage(list: string): string {
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
    <pre style="white-space: pre-wrap; font: inherit">${escapeHtml(list)}</pre>
    <p>The page comes back by itself when they are fixed.</p>
  </body>
</html>
`;
}
