import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('./render-welcome.tsx', import.meta.url));
const artefact = fileURLToPath(new URL('../../functions/resend-email/welcome.ts', import.meta.url));

/** Keeps the rendered welcome e-mail in step with its component: at every build, and at every change in development. */
export function welcomeEmail(): AstroIntegration {
  return {
    name: 'welcome-email',
    hooks: {
      async 'astro:config:setup'({ command }) {
        if (command === 'build' || command === 'dev') await writeArtefact();
      },
      'astro:server:setup'({ server }) {
        server.watcher.on('all', (_event, path) => {
          if (/\/src\/(email\/.*|site\.ts)$/.test(path)) void writeArtefact();
        });
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
