import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { escapeHtml } from '../../shared/escape-html.ts';
import { fillHtml, fillText } from '../../shared/fill-template.ts';
import { collections } from '../content-model/collections.ts';
import { listItems } from '../content-model/files.ts';
import { drawDevelopmentPage, reload } from './development-page.ts';
import { readEnvironment } from '../config/environment.ts';
import { placeholders } from '../config/site.ts';
import { loadRenderer } from '../emails/load-renderer.ts';

const root = new URL('../..', import.meta.url);

/**
 * Shows the announcements in development, including drafts: a list at /announcements, and each message as HTML and as
 * plain text. A build does not contain them.
 */
export function announcementPreview(): AstroIntegration {
  return {
    name: 'announcement-preview',
    hooks: {
      'astro:server:setup'({ server }) {
        server.watcher.on('all', (_event, path) => {
          if (/\/(content\/(announcements|email)\/|src\/emails\/|src\/config\/site\.ts$)/.test(path))
            server.ws.send({ type: 'full-reload' });
        });
        server.middlewares.use('/announcements', async (request, response, next) => {
          const [path = ''] = (request.url ?? '').slice(1).split('?');
          try {
            const page = await draw(path);
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
}

/** Draws what a path below /announcements shows; `undefined` when there is no such announcement. */
async function draw(path: string): Promise<string | undefined> {
  const { renderAnnouncement } = await loadRenderer();
  const values = { ...placeholders, ...readEnvironment('development', root) };
  const names = listItems(fileURLToPath(root), collections.announcements);
  if (path === '') {
    const lines = names.map(async (name) => {
      const { subject, preview, isDraft } = await renderAnnouncement(name, values);
      return `<dt><a href="/announcements/${name}">${escapeHtml(subject)}</a>${isDraft ? ' (draft)' : ''}</dt>
        <dd>${escapeHtml(preview)}<br /><a href="/announcements/${name}.txt">As plain text</a></dd>`;
    });
    const none = '<p>There are no announcements in content/announcements/ yet.</p>';
    const list = (await Promise.all(lines)).join('\n');
    return drawDevelopmentPage('Announcements', list ? `<dl>${list}</dl>` : none);
  }
  const name = path.replace(/\.txt$/, '');
  if (!names.includes(name)) return undefined;
  const { html, text } = await renderAnnouncement(name, values);
  const blanks = {
    address: 'name@example.com',
    siteUrl: values.PUBLIC_SITE_URL,
    unsubscribeAddress: values.PUBLIC_UNSUBSCRIBE_ADDRESS,
    unsubscribeUrl: `${values.PUBLIC_SITE_URL}/unsubscribe`,
  };
  if (path !== name) return fillText(text, blanks);
  return fillHtml(html, blanks).replace('</head>', `${reload}</head>`);
}
