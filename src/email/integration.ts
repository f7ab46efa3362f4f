import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('./render-welcome.tsx', import.meta.url));
const artefact = fileURLToPath(new URL('../../functions/resend-email/welcome.ts', import.meta.url));

/** Keeps the rendered welcome e-mail fresh: at every build, and at every change of it in development. */
export function welcomeEmail(): AstroIntegration {
  return {
    name: 'welcome-email',
    hooks: {
      async 'astro:config:setup'({ command }) {
        if (command === 'build') await writeArtefact();
      },
      async 'astro:server:setup'({ server, logger }) {
        const renew = () => writeArtefact().catch((error: Error) => logger.error(error.message));
        server.watcher.on('all', (_event, path) => {
          if (/\/(content\/email\/.*|src\/email\/.*|src\/site\.ts)$/.test(path)) void renew();
        });
        await renew();
      },
    },
  };
}

async function writeArtefact(): Promise<void> {
  const { module } = await runnerImport<typeof import('./render-welcome.tsx')>(source, {
    configFile: false,
    oxc: { jsx: { runtime: 'automatic' } },
  });
  const rendered = await module.renderWelcome();
  // Untouched when it is the same: a newer file would restart what watches it.
  if (rendered !== (await readFile(artefact, 'utf8').catch(() => ''))) await writeFile(artefact, rendered);
}
