import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listVariables } from '../ground/variables.ts';
import { findProgram, runProgram } from './process.ts';
import { refuseForeign, StackError, type Settings } from './settings.ts';

const inputs = ['src/**', 'content/**', 'public/**', 'ground/**', 'astro.config.mjs', 'package-lock.json'];

export const astroCommand = findProgram('astro', 'bin/astro.mjs');

/** The values for building the local site. All are set: Astro would take a missing one from a deployment's `.env`. */
export function siteEnvironment({ values }: Settings): Record<string, string> {
  const ofSite = listVariables('build').map((name) => [name, values[name] ?? '']);
  return { ...Object.fromEntries(ofSite), ASTRO_TELEMETRY_DISABLED: '1' };
}

/** Builds the site if its inputs changed. Resolves to whether it built. Throws a StackError with Astro's output. */
export async function buildSite(settings: Settings, signal: AbortSignal): Promise<boolean> {
  const stamp = join(settings.dataDir, 'site-inputs');
  if (
    existsSync(stamp) &&
    existsSync(settings.siteFolder) &&
    readFileSync(stamp, 'utf8') === fingerprint(settings)
  )
    return false;
  if (!existsSync(stamp)) refuseForeign(settings.siteFolder);
  // Until the build is done, no inputs match.
  writeFileSync(stamp, '');
  // A separate folder inside the project: builds to outside folders would share one folder for temporary files.
  const draft = join(settings.root, '.astro', `build-${process.pid}`);
  try {
    const { status, output } = await runProgram([astroCommand, 'build', '--outDir', draft], {
      cwd: settings.root,
      env: { ...process.env, ...siteEnvironment(settings), SITE_CACHE_DIR: join(settings.dataDir, 'astro') },
      signal,
    });
    if (status !== 0) throw new StackError(`The site could not be built:\n${output}`);
    rmSync(settings.siteFolder, { recursive: true, force: true });
    cpSync(draft, settings.siteFolder, { recursive: true });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  // Calculated again, because the build itself writes the rendered welcome email.
  writeFileSync(stamp, fingerprint(settings));
  return true;
}

/** Returns a hash of everything that the local site is built from. */
export function fingerprint(settings: Settings): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([process.version, siteEnvironment(settings)]));
  for (const file of globSync(inputs, { cwd: settings.root }).sort()) {
    const path = join(settings.root, file);
    if (statSync(path).isFile()) hash.update(`\n${file}\n`).update(readFileSync(path));
  }
  return hash.digest('hex');
}
