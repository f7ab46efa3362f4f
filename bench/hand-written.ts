import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements to keep, with the attributes that they need. Of all other elements, only the content is kept. */
const kept: Record<string, string[]> = {
  ...Object.fromEntries(
    ['header', 'main', 'footer', 'section', 'h1', 'h2', 'h3', 'p', 'ul', 'ol', 'li', 'strong', 'summary'].map(
      (name) => [name, []],
    ),
  ),
  nav: ['aria-label'],
  a: ['href'],
  details: ['name'],
  form: ['method', 'action'],
  label: ['for'],
  input: ['id', 'type', 'name', 'value', 'required', 'autocomplete', 'placeholder'],
  button: [],
  picture: [],
  source: ['type', 'srcset', 'sizes'],
  img: ['src', 'alt', 'width', 'height', 'loading'],
};

/**
 * Writes a copy of a built site's landing page, as somebody would write it by hand: one file with an inline style sheet,
 * the same words and picture, no font, no script, and a native form.
 *
 * @param site The folder of the built site.
 * @param folder The folder to write into.
 */
export function writeHandWrittenPage(site: string, folder: string): void {
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const body = parse(html)
    .childNodes.flatMap((node) => keepWords(node))
    .join('');
  const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8').replace(/\s+/g, ' ');
  const head = html.match(/<title>.*?<\/title>|<meta name="description"[^>]*>/gs)?.join('');
  const page =
    '<!doctype html><html lang="en"><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<link rel="icon" href="/icon.svg">${head}<style>${style}</style>${body}</html>`;
  writeFileSync(join(folder, 'index.html'), page);
  const pictures = page.match(/\/_astro\/[\w.-]+/g) ?? [];
  for (const file of ['/icon.svg', '/robots.txt', ...pictures]) {
    cpSync(join(site, file), join(folder, file), { recursive: true });
  }
}

function keepWords(node: Node): string[] {
  if ('value' in node) return [escape(node.value)];
  if (!('tagName' in node) || ['head', 'script', 'style', 'dialog', 'template'].includes(node.tagName)) {
    return 'childNodes' in node && node.nodeName === 'html' ? node.childNodes.flatMap(keepWords) : [];
  }
  const inside = node.childNodes.flatMap(keepWords);
  // The drawings are decorative. The screenshot is not, so it stays.
  const isDrawing = node.tagName === 'img' && !node.attrs.some(({ name, value }) => name === 'alt' && value);
  const attributes = kept[node.tagName];
  if (!attributes || isDrawing) return inside;
  const text = node.attrs
    .filter(({ name }) => attributes.includes(name))
    .map(({ name, value }) => ` ${name}="${escape(value)}"`)
    .join('');
  const isVoid = ['input', 'img', 'source'].includes(node.tagName);
  return [`<${node.tagName}${text}>`, ...inside, isVoid ? '' : `</${node.tagName}>`];
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
