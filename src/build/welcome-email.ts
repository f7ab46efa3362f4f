import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { makeOnce } from '../pictures/cache.ts';
import { loadRenderer } from '../emails/load-renderer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const artifact = fileURLToPath(new URL('../../shared/welcome.ts', import.meta.url));

/** Renders the welcome email at every build, and in development whenever its sources change. */
export function welcomeEmail(): AstroIntegration {
  return {
    name: 'welcome-email',
    hooks: {
      async 'astro:config:setup'({ command }) {
        if (command === 'build') await writeArtifact();
      },
      async 'astro:server:setup'({ server, logger }) {
        const renew = () => writeArtifact().catch((error: Error) => logger.error(error.message));
        server.watcher.on('all', (_event, path) => {
          if (
            /\/(content\/email\/.*|src\/emails\/.*|src\/config\/site\.ts|src\/styles\/tokens\.css)$/.test(
              path,
            )
          )
            void renew();
        });
        await renew();
      },
    },
  };
}

async function writeArtifact(): Promise<void> {
  const rendered = (await makeOnce(['welcome', await readSources()], render)).toString();
  // Written only when something changed, because a newer file restarts the programs that watch it.
  if (rendered !== (await readFile(artifact, 'utf8').catch(() => ''))) await writeFile(artifact, rendered);
}

async function render(): Promise<Buffer> {
  const { renderWelcome } = await loadRenderer();
  const text = [
    '// Every build generates this from content/email/welcome.mdx (the words) and src/emails/WelcomeEmail.tsx.',
    `export const welcome = ${JSON.stringify(await renderWelcome(), null, 2)} as const;`,
    '',
  ].join('\n');
  return Buffer.from(text);
}

/** Reads every file that the email may depend on: its component may import anything from the site. */
async function readSources(): Promise<string[][]> {
  const files = globSync(['{src,content,shared}/**/*.{ts,tsx,css,mdx}', 'package-lock.json'], {
    cwd: root,
    exclude: ['shared/welcome.ts'],
  });
  return Promise.all(files.sort().map(async (file) => [file, await readFile(join(root, file), 'utf8')]));
}
