import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
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
          writeFileSync(file, moveScripts(moveStyles(readFileSync(file, 'utf8'))));
        }
      },
    },
  };
}
