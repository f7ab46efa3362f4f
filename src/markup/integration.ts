import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { type Change, change, type Element, readElements } from './elements.ts';
import { type Imports, listScripts } from './island-scripts.ts';
import { moveScripts } from './scripts.ts';
import { moveStyles } from './styles.ts';

/**
 * Moves the styles of every built page into its head and the scripts that hydrate islands to its end, lists the scripts
 * of each island, and shortens the attributes that hold their props or scope styles.
 */
export function markup(): AstroIntegration {
  const imports: Imports = {};
  return {
    name: 'markup',
    hooks: {
      'astro:config:setup'({ updateConfig }) {
        updateConfig({ vite: { plugins: [noteImports(imports)] } });
      },
      'astro:build:done'({ dir }) {
        const folder = fileURLToPath(dir);
        for (const page of globSync('**/*.html', { cwd: folder })) {
          const file = join(folder, page);
          writeFileSync(file, arrange(readFileSync(file, 'utf8'), imports));
        }
      },
    },
  };
}

/** Parses a page once for all changes, because parsing takes longer than everything else. */
export function arrange(html: string, imports: Imports = {}): string {
  const elements = readElements(html);
  const moved = change(html, [
    ...moveStyles(elements),
    ...moveScripts(html, elements),
    ...listScripts(elements, imports),
    ...shortenIslands(html, elements),
  ]);
  return shortenScopes(moved);
}

/**
 * Puts the JSON of islands between single quotes, where a double quote is one character instead of six, and removes their
 * random `uid`, which hardly compresses and which nothing in the browser reads.
 */
function shortenIslands(html: string, elements: Element[]): Change[] {
  const islands = elements.filter(({ tagName }) => tagName === 'astro-island');
  return islands.flatMap(({ sourceCodeLocation }) =>
    Object.values(sourceCodeLocation?.attrs ?? {}).flatMap(({ startOffset: start, endOffset: end }) => {
      const attribute = html.slice(start, end);
      if (attribute.startsWith('uid=')) return [{ start: start - 1, end, text: '' }];
      const [, name, value = ''] = /^(\w+)="(.*&quot;.*)"$/s.exec(attribute) ?? [];
      const json = value.replaceAll("'", '&#39;').replaceAll('&quot;', '"');
      return name ? [{ start, end, text: `${name}='${json}'` }] : [];
    }),
  );
}

/**
 * Numbers the attributes that scope styles to a component. Their random names hardly compress, and the landing page would
 * take one more round trip. A page contains all of its styles, so no other file uses the names.
 */
function shortenScopes(html: string): string {
  const numbers = new Map<string, number>();
  return html.replace(/data-astro-cid-\w+/g, (name) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
    return `data-s${numbers.get(name)}`;
  });
}

/** Records which files each browser script imports. */
function noteImports(imports: Imports): Plugin {
  return {
    name: 'note-imports',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') imports[file.fileName] = file.imports;
      }
    },
  };
}
