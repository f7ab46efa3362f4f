import { globSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { makeOnce } from '../pictures/cache.ts';
import { loadRenderer } from '../emails/load-renderer.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const artifact = join(project, 'shared/welcome.ts');

/** Renders the welcome email whenever Astro builds, checks or serves the site, and in development after a change of its words or look. */
export function welcomeEmail(): AstroIntegration {
  return {
    name: 'welcome-email',
    hooks: {
      async 'astro:config:setup'({ command }) {
        if (command !== 'dev') await writeWelcome();
      },
      async 'astro:server:setup'({ server, logger }) {
        const renew = () => writeWelcome().catch((error: Error) => logger.error(error.message));
        server.watcher.on('all', (_event, path) => {
          if (/\/(content\/email|src\/(emails|config|styles))\//.test(path)) void renew();
        });
        await renew();
      },
    },
  };
}

/** Renders the welcome email into `shared/welcome.ts`, because a function cannot read files. Git ignores the result. */
export async function writeWelcome(): Promise<void> {
  const rendered = await makeOnce(['welcome', await readSources()], render);
  // Written only when something changed, because a newer file restarts the programs that watch it.
  if (rendered.equals(await readFile(artifact).catch(() => Buffer.of()))) return;
  // Under another name first, because a program may be reading it.
  const draft = `${artifact}.${process.pid}`;
  await writeFile(draft, rendered);
  await rename(draft, artifact);
}

async function render(): Promise<Buffer> {
  const { renderWelcome } = await loadRenderer();
  const welcome = JSON.stringify(await renderWelcome(), null, 2);
  return Buffer.from(
    `// Rendered from content/email/welcome.mdx.\nexport const welcome = ${welcome} as const;\n`,
  );
}

/** Reads every file that the email may depend on: its component may import anything from the site. */
async function readSources(): Promise<string[][]> {
  const files = globSync(['{src,content,shared}/**/*.{ts,tsx,css,mdx}', 'package-lock.json'], {
    cwd: project,
    exclude: ['shared/welcome.ts'],
  });
  return Promise.all(files.sort().map(async (file) => [file, await readFile(join(project, file), 'utf8')]));
}
