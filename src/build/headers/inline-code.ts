import { createHash } from 'node:crypto';
import { readAttribute, readElements, readText } from './elements.ts';

/** Lists the sources with which a policy allows the inline scripts and style sheets in the HTML of pages. */
export function readInlineCode(pages: string[]) {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  for (const element of pages.flatMap((html) => readElements(html))) {
    if (element.tagName === 'style') styles.add(hash(readText(element)));
    // Structured data, which the policy does not cover.
    const isData = readAttribute(element, 'type')?.endsWith('json');
    if (element.tagName === 'script' && !isData && readAttribute(element, 'src') === undefined) {
      scripts.add(hash(readText(element)));
    }
  }
  // Sorted, so that two builds of the same pages are the same.
  return { scripts: [...scripts].sort(), styles: [...styles].sort() };
}

/** Returns the source of a policy that allows this code, as in `'sha256-…'`. */
export function hash(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}
