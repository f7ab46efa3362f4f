import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { fillHtml, fillText } from '../../functions/resend-email/fill-template.ts';
import { listItems } from '../content-check/check-names.ts';
import { collections } from '../content-check/collections.ts';
import { readEnvironment } from '../environment.ts';
import { placeholders } from '../site.ts';
import { loadRenderer } from './load-renderer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Renderer = Awaited<ReturnType<typeof loadRenderer>>;

/**
 * Shows the announcements in development, drafts too: a list at /announcements, and each message as HTML and as plain
 * text. A build does not contain them.
 */
export function announcementPreview(): AstroIntegration {
  let values: ReturnType<typeof readEnvironment>;
  return {
    name: 'announcement-preview',
    hooks: {
      'astro:config:setup'({ command, config }) {
        if (command === 'dev') values = { ...placeholders, ...readEnvironment('development', config.root) };
      },
      'astro:server:setup'({ server }) {
        server.watcher.on('all', (_event, path) => {
          if (/\/(content\/(announcements|email)\/|src\/email\/|src\/site\.ts$)/.test(path))
            server.ws.send({ type: 'full-reload' });
        });
        server.middlewares.use('/announcements', async (request, response, next) => {
          const [path = ''] = (request.url ?? '').slice(1).split('?');
          try {
            const page = await draw(path, await loadRenderer());
            if (page === undefined) return next();
            const type = path.endsWith('.txt') ? 'plain' : 'html';
            response.writeHead(200, { 'Content-Type': `text/${type}; charset=utf-8` }).end(page);
          } catch (error) {
            next(error);
          }
        });
      },
    },
  };

  /** Draws what a path below /announcements shows; `undefined` when there is no such announcement. */
  async function draw(path: string, renderer: Renderer): Promise<string | undefined> {
    const names = listItems(root, collections.announcements);
    if (path === '') return addReload(await drawList(names, renderer));
    const name = path.replace(/\.txt$/, '');
    if (!names.includes(name)) return undefined;
    const { html, text } = await renderer.renderAnnouncement(name, values);
    const blanks = {
      address: 'name@example.com',
      unsubscribeAddress: values.PUBLIC_UNSUBSCRIBE_ADDRESS!,
      leaveUrl: `${values.PUBLIC_SITE_URL}/leave`,
    };
    return path === name ? addReload(fillHtml(html, blanks)) : fillText(text, blanks);
  }

  async function drawList(names: string[], { renderAnnouncement }: Renderer): Promise<string> {
    const all = await Promise.all(
      names.map(async (name) => ({ name, ...(await renderAnnouncement(name, values)) })),
    );
    const lines = all.map(
      ({ name, subject, preview, isDraft }) =>
        `<dt><a href="/announcements/${name}">${escape(subject)}</a>${isDraft ? ' (draft)' : ''}</dt>
        <dd>${escape(preview)}<br /><a href="/announcements/${name}.txt">As plain text</a></dd>`,
    );
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <title>Announcements</title>
  </head>
  <body style="max-width: 60rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.6 sans-serif">
    <h1>Announcements</h1>
    <dl>${lines.join('\n') || 'There is no file in content/announcements/.'}</dl>
  </body>
</html>
`;
  }
}

/** Adds the script that reloads the page after an edit. */
function addReload(html: string): string {
  return html.replace('</head>', '<script type="module" src="/@vite/client"></script></head>');
}

function escape(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
