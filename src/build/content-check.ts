import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { escapeHtml } from '../../shared/escape-html.ts';
import { checkContent } from '../content-model/check/check.ts';
import { formatProblems } from '../content-model/check/problem.ts';

/**
 * Stops a build, and the start of the development server, when content/ has mistakes. Once the server runs, it lists them
 * instead of every page until they are fixed.
 */
export function contentCheck(): AstroIntegration {
  let root = '';
  const listMistakes = async () => formatProblems((await checkContent(root)).mistakes);
  return {
    name: 'content-check',
    hooks: {
      async 'astro:config:setup'({ command, config }) {
        root = fileURLToPath(config.root);
        if (command !== 'build' && command !== 'dev') return;
        const list = await listMistakes();
        if (!list) return;
        // Not thrown, because Astro would add its own text around the list.
        console.error(list);
        process.exit(1);
      },
      'astro:server:setup'({ server, refreshContent }) {
        let isStale = false;
        server.watcher.add(['content', 'public'].map((folder) => root + folder));
        server.watcher.on('all', (_event, file) => {
          if (!/^(content|public)\b/.test(file.slice(root.length))) return;
          isStale = true;
          server.ws.send({ type: 'full-reload' });
        });
        server.middlewares.use(async (request, response, next) => {
          if (!request.headers.accept?.includes('text/html')) return next();
          const list = await listMistakes();
          if (!list) {
            // Astro may have read a file before it was whole, or missed the edit, and would not read it again.
            if (isStale) {
              isStale = false;
              await refreshContent!({});
            }
            return next();
          }
          isStale = true;
          response.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' }).end(drawPage(list));
        });
      },
    },
  };
}

/** Draws the page that lists mistakes. Vite's client loads the real page again once they are fixed. */
function drawPage(list: string): string {
  return `<!doctype html>
<title>Mistakes in content/</title>
<script type="module" src="/@vite/client"></script>
<h1>Mistakes in content/</h1>
<pre style="white-space: pre-wrap; font: inherit">${escapeHtml(list)}</pre>`;
}
