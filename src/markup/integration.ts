import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { change, readElements } from './elements.ts';
import { moveScripts } from './scripts.ts';
import { moveStyles } from './styles.ts';

/** Puts the styles of every built page into its head, and the scripts that wake islands to its end. */
export function markup(): AstroIntegration {
  return {
    name: 'markup',
    hooks: {
      'astro:build:done'({ dir }) {
        const folder = fileURLToPath(dir);
        for (const page of globSync('**/*.html', { cwd: folder })) {
          const file = join(folder, page);
          writeFileSync(file, arrange(readFileSync(file, 'utf8')));
        }
      },
    },
  };
}

/** Reads a page once and makes both moves: parsing takes longer than all the rest. */
export function arrange(html: string): string {
  const elements = readElements(html);
  return change(html, [...moveStyles(elements), ...moveScripts(html, elements)]);
}
