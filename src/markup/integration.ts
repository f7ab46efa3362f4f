import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { change, readElements } from './elements.ts';
import { type Imports, listScripts } from './island-scripts.ts';
import { moveScripts } from './scripts.ts';
import { moveStyles } from './styles.ts';

/**
 * Moves the styles of every built page into its head and the scripts that hydrate islands to its end, and lists the
 * scripts of each island.
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
  return change(html, [
    ...moveStyles(elements),
    ...moveScripts(html, elements),
    ...listScripts(elements, imports),
  ]);
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
