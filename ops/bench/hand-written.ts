import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Elements that are removed with their content. Any other element that is not in `kept` is removed, but its content stays. */
const dropped = /<(head|script|style|dialog|template)\b[^]*?<\/\1>/g;
const kept = new Set([
  ...['header', 'main', 'footer', 'section', 'nav', 'h1', 'h2', 'h3', 'p', 'ul', 'ol', 'li', 'strong', 'a'],
  ...['details', 'summary', 'form', 'label', 'input', 'button', 'picture', 'source', 'img'],
]);
const attributes =
  / (id|href|name|aria-label|method|action|for|type|value|required|autocomplete|placeholder|srcset|sizes|src|alt|width|height|loading)(="[^"]*")?(?=[ /]|$)/gi;

/**
 * Writes the landing page of a built site into another folder, as somebody would write it by hand: one file with an
 * inline style sheet, the same words and picture, no font, no script, and a native form.
 */
export function writeHandWrittenPage(site: string, folder: string): void {
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const body = html
    .replace(dropped, '')
    // The drawings are decorative. The screenshot is not, so it stays.
    .replace(/<img\b[^>]* alt(=""|[ >])[^>]*>/g, '')
    .replace(/<!.*?>|<(\/?)([\w-]+)([^>]*)>/gs, (_, slash = '', name = '', rest = '') =>
      kept.has(name) ? `<${slash}${name}${rest.match(attributes)?.join('') ?? ''}>` : '',
    );
  const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8').replace(/\s+/g, ' ');
  const head = html.match(/<title>.*?<\/title>|<meta name="description"[^>]*>/gs)?.join('');
  const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">';
  const page = `<!doctype html><html lang="en"><meta charset="utf-8">${viewport}${head}<style>${style}</style>${body}</html>`;
  const pictures = page.match(/\/_astro\/[\w.-]+/g) ?? [];
  for (const file of ['/favicon.ico', '/robots.txt', ...pictures])
    cpSync(join(site, file), join(folder, file));
  writeFileSync(join(folder, 'index.html'), page);
}
