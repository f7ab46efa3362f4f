import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { change, readElements } from './elements.ts';
import { moveStyles } from './styles.ts';

/**
 * Changes what Astro has built in two ways: the policy needs style attributes as a style sheet, and every island names the
 * script that all islands import.
 *
 * A browser discovers an import only when it has loaded the importing script. `client:intent` requests the named script at
 * once, so a phone waits for one round trip less: 0.2 s on a slow connection.
 */
export function builtPages(): AstroIntegration {
  let shared = '';
  return {
    name: 'built-pages',
    hooks: {
      'astro:config:setup'({ updateConfig }) {
        updateConfig({
          vite: {
            plugins: [
              {
                name: 'find-shared-script',
                applyToEnvironment: ({ name }) => name === 'client',
                generateBundle(_options, bundle) {
                  shared = Object.values(bundle).find(({ name }) => name === 'shared')?.fileName ?? '';
                },
              },
            ],
          },
        });
      },
      'astro:build:done'({ dir }) {
        const folder = fileURLToPath(dir);
        for (const page of globSync('**/*.html', { cwd: folder })) {
          const file = join(folder, page);
          writeFileSync(file, arrange(readFileSync(file, 'utf8'), `/${shared}`));
        }
      },
    },
  };
}

/** Parses a page once for both changes, because parsing takes longer than everything else. */
export function arrange(html: string, shared: string): string {
  const elements = readElements(html);
  const islands = elements.flatMap(({ tagName, sourceCodeLocation }) => {
    const start =
      sourceCodeLocation?.startTag && sourceCodeLocation.startTag.startOffset + `<${tagName}`.length;
    return tagName === 'astro-island' && start
      ? [{ start, end: start, text: ` data-shared="${shared}"` }]
      : [];
  });
  return change(html, [...moveStyles(elements), ...islands]);
}
