import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listVariables } from '../functions/variables.ts';
import { StackError, type Settings } from './settings.ts';

const require = createRequire(import.meta.url);
const inputs = ['src/**', 'content/**', 'public/**', 'functions/**', 'astro.config.mjs', 'package-lock.json'];

/** Astro's command line, as a Node program. */
export const astroCommand = join(dirname(require.resolve('astro/package.json')), 'bin', 'astro.mjs');

/**
 * The values for building the local site. All are set, because Astro would read a missing one from `.env`, which belongs
 * to a deployment.
 */
export function siteEnvironment({ values }: Settings): Record<string, string> {
  const ofSite = listVariables('build').map((name) => [name, values[name] ?? '']);
  return { ...Object.fromEntries(ofSite), ASTRO_TELEMETRY_DISABLED: '1' };
}

/** The folder of the local site. It is not `dist/`, which belongs to a deployment. */
export function siteFolder({ dataDir }: Settings): string {
  return join(dataDir, 'site');
}

/**
 * Builds the site, unless the last build had the same inputs. Resolves to whether it built.
 *
 * @throws StackError with Astro's output when the build fails.
 */
export async function buildSite(settings: Settings, signal: AbortSignal): Promise<boolean> {
  const folder = siteFolder(settings);
  const stamp = join(settings.dataDir, 'site-inputs');
  const isBuilt = existsSync(join(folder, 'index.html')) && existsSync(join(folder, '404.html'));
  if (isBuilt && readText(stamp) === fingerprint(settings)) return false;
  rmSync(stamp, { force: true });
  // A separate folder inside the project: builds to outside folders would share one folder for temporary files.
  const draft = join(settings.root, '.astro', `build-${process.pid}`);
  try {
    await runBuild(settings, draft, signal);
    rmSync(folder, { recursive: true, force: true });
    cpSync(draft, folder, { recursive: true });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  // Calculated again, because the build itself writes the rendered welcome email.
  writeFileSync(stamp, fingerprint(settings));
  return true;
}

function runBuild(settings: Settings, folder: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [astroCommand, 'build', '--outDir', folder], {
      cwd: settings.root,
      env: { ...process.env, ...siteEnvironment(settings) },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    // Settles only on close, even after an abort, so that its files are removed after it has ended.
    child.once('error', (error) => (output += error.message));
    child.once('close', (code) => {
      if (code === 0) return resolve();
      reject(new StackError(`The site could not be built:\n${output.trim()}`));
    });
  });
}

function fingerprint(settings: Settings): string {
  const hash = createHash('sha256');
  const variables = Object.entries({ ...process.env, ...siteEnvironment(settings) })
    .filter(([name]) => name.startsWith('PUBLIC_'))
    .sort();
  hash.update(JSON.stringify([process.version, variables]));
  for (const file of inputs.flatMap((pattern) => globSync(pattern, { cwd: settings.root })).sort()) {
    const path = join(settings.root, file);
    if (statSync(path).isFile()) hash.update(`\n${file}\n`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
