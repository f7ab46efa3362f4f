import { createHash } from 'node:crypto';
import { readAttribute, readElements, readText } from './elements.ts';

/** The sources of a policy that allow the inline code of pages, as in `'sha256-…'`. */
export interface InlineCode {
  scripts: string[];
  styles: string[];
}

/** Types of script elements that browsers run. Any other type is data, which the policy does not cover. */
const scriptTypes = ['', 'module', 'text/javascript', 'importmap', 'speculationrules'];

/**
 * Reads the inline scripts and style sheets of pages.
 *
 * @param pages The HTML of each page by its file.
 * @throws Error that names the file when a page has code that no hash can allow.
 */
export function readInlineCode(pages: Record<string, string>): InlineCode {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  for (const [file, html] of Object.entries(pages)) {
    for (const element of readElements(html)) {
      const handler = element.attrs.find(({ name }) => name.startsWith('on') || name === 'style');
      if (handler) {
        throw new Error(
          `${file}: <${element.tagName}> has the attribute "${handler.name}", which the policy blocks. ` +
            `Write it as a script or a style sheet.`,
        );
      }
      if (element.tagName === 'style') styles.add(hash(readText(element)));
      const isCode = scriptTypes.includes(readAttribute(element, 'type') ?? '');
      if (element.tagName === 'script' && isCode && readAttribute(element, 'src') === undefined) {
        scripts.add(hash(readText(element)));
      }
    }
  }
  // Sorted, so that two builds of the same pages are the same.
  return { scripts: [...scripts].sort(), styles: [...styles].sort() };
}

/** Returns the source of a policy that allows this code. */
export function hash(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}
