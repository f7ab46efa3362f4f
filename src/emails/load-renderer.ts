import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = fileURLToPath(new URL('./render.tsx', import.meta.url));

/** Loads the current version of the email renderer. Node itself cannot read the JSX of the emails. */
export async function loadRenderer(): Promise<typeof import('./render.tsx')> {
  const { module } = await runnerImport<typeof import('./render.tsx')>(source, {
    root,
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic' } },
  });
  return module;
}
