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
  const lock = (tree: string) => readFileSync(join(tree, 'package-lock.json'), 'utf8');
  if (lock(other) === lock(root)) symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: other, stdio: 'inherit' });
  photograph(other, 'all');
  const report = pathToFileURL(join(results, 'report/index.html')).href;
  const isSame = photograph(root, 'none').status === 0;
  console.log(isSame ? `Everything looks as in ${commit}.` : `Before, now and the difference: ${report}`);
} finally {
  rmSync(other, { recursive: true, force: true });
  execFileSync('git', ['worktree', 'prune'], { cwd: root });
}

/** Builds a tree, and takes its screenshots with the tests of the working tree. */
function photograph(tree: string, update: 'all' | 'none') {
  // Inside the tree: builds to outside folders would share one folder for temporary files.
  const folder = join(tree, '.astro/screenshots');
  const env = { ...makeEnvironment(), SITE_CACHE_DIR: `${folder}-cache`, SITE_FOLDER: folder };
  const run = (cwd: string, ...args: string[]) =>
    spawnSync(process.execPath, args, { cwd, env, stdio: 'inherit' });
  if (run(tree, 'node_modules/astro/bin/astro.mjs', 'build', '--outDir', folder).status !== 0)
    throw new Error(`${tree} could not be built.`);
  const test = ['test', '--config', 'tests/screenshots/playwright.config.ts'];
  return run(root, 'node_modules/@playwright/test/cli.js', ...test, `--update-snapshots=${update}`);
}
