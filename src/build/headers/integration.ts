import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { readUrls } from '../../config/deployment-urls.ts';
import { readEnvironment } from '../environment.ts';
import { composeHeaderFile } from './header-file.ts';
import { readInlineCode } from './inline-code.ts';
import { composePolicy } from './policy.ts';
import { moveStyles } from './style-attributes.ts';

const root = new URL('../../..', import.meta.url);

/**
 * Writes `_headers` for the static host, with a policy that allows only the inline code of the built pages.
 * It must be the last integration, because it hashes the code of the finished pages.
 */
export function headers(): AstroIntegration {
  return {
    name: 'headers',
    hooks: {
      'astro:build:done'({ dir }) {
        const folder = fileURLToPath(dir);
        const pages: string[] = [];
        for (const file of globSync('**/*.html', { cwd: folder })) {
          const page = moveStyles(readFileSync(join(folder, file), 'utf8'));
          writeFileSync(join(folder, file), page);
          pages.push(page);
        }
        const environment = readEnvironment('production', root);
        const urls = readUrls({ ...environment, PUBLIC_DEV_MODE: environment.PUBLIC_DEV_MODE === 'true' });
        const policy = composePolicy(readInlineCode(pages), urls);
        const assets = globSync('{_astro,pictures}/**/*.*', { cwd: folder }).sort();
        const paths = assets.map((file) => `/${file}` as const);
        writeFileSync(join(folder, '_headers'), composeHeaderFile(policy, paths));
      },
    },
  };
}
