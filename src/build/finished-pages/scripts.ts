import type { Change, Element } from './elements.ts';

/**
 * Moves the scripts that hydrate islands to the end of the page's body.
 *
 * Astro puts them right before the first island. There the browser stops parsing to run them, and paints the page as
 * far as it has parsed it. A slow phone then paints the page about five times; with the scripts at the end, about
 * twice.
 */
export function moveScripts(html: string, elements: Element[]): Change[] {
  const scripts = elements.filter(wakesIslands);
  const bodyEnd = elements.find(({ tagName }) => tagName === 'body')?.sourceCodeLocation?.endTag?.startOffset;
  if (bodyEnd === undefined || scripts.length === 0) return [];
  const places = scripts.map(({ sourceCodeLocation }) => ({
    start: sourceCodeLocation?.startOffset ?? 0,
    end: sourceCodeLocation?.endOffset ?? 0,
  }));
  const text = places.map(({ start, end }) => html.slice(start, end)).join('');
  const removals: Change[] = places.map((place) => ({ ...place, text: '' }));
  return [...removals, { start: bodyEnd, end: bodyEnd, text }];
}

/** Whether an element is an inline script with only scripts between it and an island. */
function wakesIslands(element: Element): boolean {
  if (element.tagName !== 'script' || element.attrs.length > 0) return false;
  const siblings = element.parentNode?.childNodes ?? [];
  const next = siblings.slice(siblings.indexOf(element) + 1).find(({ nodeName }) => nodeName !== 'script');
  return next?.nodeName === 'astro-island';
}
