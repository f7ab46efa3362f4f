import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listVariables, type Values } from '../../shared/variables.ts';
import { root } from '../values.ts';
import { astroCommand, runProgram } from './process.ts';
import type { Settings } from './settings.ts';

/** The values for building the local site. All are set: Astro would take a missing one from a deployment's `.env`. */
export function siteEnvironment({ values }: { values: Values }): Record<string, string> {
  const ofSite = listVariables('build').map((name) => [name, values[name] ?? '']);
  return { ...Object.fromEntries(ofSite), ASTRO_TELEMETRY_DISABLED: '1' };
}

/** Builds the site of a stack. Throws an Error with Astro's output when it cannot be built. */
export async function buildSite(settings: Settings, signal?: AbortSignal): Promise<void> {
  // A separate folder inside the project: builds to outside folders would share one folder for temporary files.
  const draft = join(root, '.astro', `build-${process.pid}`);
  try {
    const own = { ...siteEnvironment(settings), SITE_CACHE_DIR: join(settings.dataDir, 'astro') };
    const args = [astroCommand, 'build', '--outDir', draft];
    const { status, output } = await runProgram(args, { ...process.env, ...own }, signal);
    if (status !== 0) throw new Error(`The site could not be built:\n${output}`);
    rmSync(settings.siteFolder, { recursive: true, force: true });
    cpSync(draft, settings.siteFolder, { recursive: true });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
