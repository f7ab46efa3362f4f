import { type Change, type Element, readAttribute } from './elements.ts';

/** The static imports of each script; keys and values are paths such as `_astro/name.hash.js`. */
export type Imports = Record<string, string[]>;

/**
 * Lists on every island the scripts that its component and its renderer import, in the attribute `data-scripts`.
 *
 * A browser discovers an import only after it has loaded the importing script. With the list, `client:intent` requests
 * all of them at once, and a slow phone waits for one round trip instead of two.
 */
export function listImports(elements: Element[], imports: Imports): Change[] {
  return elements.flatMap((element) => {
    const start = element.sourceCodeLocation?.attrs?.['component-url']?.startOffset;
    if (element.tagName !== 'astro-island' || start === undefined) return [];
    const entries = ['component-url', 'renderer-url'].map(
      (name) => readAttribute(element, name)?.slice(1) ?? '',
    );
    const scripts = findImports(entries, imports).map((file) => `/${file}`);
    return scripts.length > 0 ? [{ start, end: start, text: `data-scripts="${scripts.join(' ')}" ` }] : [];
  });
}

function findImports(files: string[], imports: Imports, found = new Set<string>()): string[] {
  for (const file of files.flatMap((name) => imports[name] ?? [])) {
    if (found.has(file)) continue;
    found.add(file);
    findImports([file], imports, found);
  }
  return [...found];
}
