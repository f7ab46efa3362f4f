import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { change, readElements } from './elements.ts';
import { type Imports, listImports } from './island-imports.ts';
import { moveScripts } from './scripts.ts';
import { moveStyles } from './styles.ts';

/**
 * Changes the pages that Astro has built in three ways. The policy needs style attributes as style sheets; a slow phone needs the
 * scripts of islands at the end of a page, and the list of what they import.
 */
export function builtPages(): AstroIntegration {
  const imports: Imports = {};
  return {
    name: 'built-pages',
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
  return change(html, [
    ...moveStyles(elements),
    ...moveScripts(html, elements),
    ...listImports(elements, imports),
  ]);
}

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
