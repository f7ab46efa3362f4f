import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { type Change, change, type Element, readAttribute, readElements } from './elements.ts';
import { type Imports, listScripts } from './island-scripts.ts';
import { moveScripts } from './scripts.ts';
import { moveStyles, removeScopes } from './styles.ts';

/**
 * Moves the styles of every built page into its head and the scripts that hydrate islands to its end, lists the scripts
 * of each island, shortens their props and the names in styles, and escapes characters beyond Latin-1.
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
    ...removeScopes(elements),
    ...moveScripts(html, elements),
    ...listScripts(elements, imports),
    ...shortenIslands(html, elements),
  ]);
  // The comment marks the end of an island's children, and no island waits for it now.
  return escapeBeyondLatin1(shortenNames(moved.replaceAll('<!--astro:end-->', '')));
}

/**
 * Puts the JSON of islands between single quotes, where a double quote is one character instead of six. Also removes what no
 * browser code reads: the random `uid`, `component-export` when it is the default, the style scope in the props, and the
 * options of `client:intent`. No island needs to wait for its children, because the scripts are at the end of the page.
 */
function shortenIslands(html: string, elements: Element[]): Change[] {
  const islands = elements.filter(({ tagName }) => tagName === 'astro-island');
  return islands.flatMap((island) =>
    Object.values(island.sourceCodeLocation?.attrs ?? {}).flatMap(
      ({ startOffset: start, endOffset: end }) => {
        const attribute = html.slice(start, end);
        if (/^(uid=|component-export="default"|await-children$)/.test(attribute))
          return [{ start: start - 1, end, text: '' }];
        if (attribute.startsWith('opts=') && readAttribute(island, 'client') === 'intent')
          return [{ start, end, text: 'opts="{}"' }];
        const [, name, value = ''] = /^(\w+)="(.*&quot;.*)"$/s.exec(attribute) ?? [];
        const json = value
          .replaceAll("'", '&#39;')
          .replaceAll('&quot;', '"')
          .replace(/,?"data-astro-cid-\w+":\[0,true\]/, '');
        return name ? [{ start, end, text: `${name}='${json}'` }] : [];
      },
    ),
  );
}

/**
 * Numbers the attributes that scope styles to a component, and removes the hashes from the names of fonts. Random names
 * hardly compress, and the landing page would take one more round trip. A page contains all of its styles, so no other
 * file uses the names.
 */
function shortenNames(html: string): string {
  const numbers = new Map<string, number>();
  return html
    .replace(/data-astro-cid-\w+/g, (name) => {
      if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
      return `data-${numbers.get(name)}`;
    })
    .replace(/<style>.*?<\/style>/gs, (sheet) => sheet.replace(/(font[\w-]*:"[^"]+)-[\da-f]{16}"/g, '$1"'));
}

/**
 * Writes characters beyond Latin-1 as references, except in scripts and styles. A single dash among them makes Chromium store
 * the page with two bytes for each character, and decoding the landing page then takes four times as long.
 */
function escapeBeyondLatin1(html: string): string {
  return html.replace(/<(script|style)\b.*?<\/\1>|[^\0-\xff]/gsu, (part) =>
    part.startsWith('<') ? part : `&#${part.codePointAt(0)};`,
  );
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
