import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeEnvironment } from '../pages/site-copy.ts';

// Takes screenshots of every page and state of another commit and of the working tree, and reports what differs. The commit is
// an argument: `npm run screenshots HEAD`. Without one, it is `main`.

const root = resolve(import.meta.dirname, '../..');
const results = resolve(root, 'tests/results/screenshots');
const [commit = 'main'] = process.argv.slice(2);
const other = join(mkdtempSync(join(tmpdir(), 'waitlist-screenshots-')), 'tree');

rmSync(results, { recursive: true, force: true });
try {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', other, commit], { cwd: root });
  install(other);
  photograph(other, '--update-snapshots=all');
  const { status } = photograph(root, '--update-snapshots=none');
  const report = pathToFileURL(join(results, 'report/index.html')).href;
  console.log(
    status === 0 ? `Everything looks as in ${commit}.` : `Before, now and the difference: ${report}`,
  );
} finally {
  rmSync(other, { recursive: true, force: true });
  execFileSync('git', ['worktree', 'prune'], { cwd: root });
}

/** Gives another commit the packages that it needs. */
function install(tree: string): void {
  const read = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (read(tree) === read(root)) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, stdio: 'inherit' });
}

/** Builds a tree, and takes its screenshots with the tests of the working tree. */
function photograph(tree: string, snapshots: string) {
  // Inside the tree: builds to outside folders would share one folder for temporary files.
  const dist = join(tree, '.astro/screenshots');
  const env = {
    ...makeEnvironment(),
    SITE_CACHE_DIR: join(tree, '.astro/screenshots-cache'),
    SITE_FOLDER: dist,
  };
  const run = (program: string, args: string[], cwd: string, stdio: 'pipe' | 'inherit') =>
    spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd,
      env,
      stdio,
      encoding: 'utf8',
    });
  const build = run('astro/bin/astro.mjs', ['build', '--outDir', dist], tree, 'pipe');
  if (build.status !== 0) throw new Error(`${tree} could not be built:\n${build.stdout}${build.stderr}`);
  const config = ['--config', 'tests/screenshots/playwright.config.ts'];
  return run('@playwright/test/cli.js', ['test', ...config, snapshots], root, 'inherit');
}
