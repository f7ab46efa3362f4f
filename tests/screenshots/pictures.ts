import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { makeEnvironment } from '../pages/site-copy.ts';
import { photograph } from './photograph.ts';

/**
 * Photographs every page and state of the working tree and of another commit, and writes a page that shows side by side
 * what differs. The commit is an argument: `npm run pictures HEAD`. Without one, it is `main`.
 */
const NOTICEABLE = 12; // of 255, in one color of a pixel

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(root, 'tests/results/pictures');
const [commit = 'main'] = process.argv.slice(2);

const other = mkdtempSync(join(tmpdir(), 'waitlist-pictures-'));
const pictures: Record<'before' | 'now', Map<string, Buffer>> = { before: new Map(), now: new Map() };
try {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', join(other, 'tree'), commit], { cwd: root });
  install(join(other, 'tree'));
  for (const [moment, tree] of [
    ['before', join(other, 'tree')],
    ['now', root],
  ] as const) {
    console.log(`Building and photographing ${moment === 'now' ? 'the working tree' : commit}`);
    // Inside the tree: builds to outside folders would share one folder for temporary files.
    const dist = join(tree, '.astro/pictures');
    build(tree, dist);
    pictures[moment] = await photograph(dist);
    rmSync(dist, { recursive: true });
  }
} finally {
  rmSync(other, { recursive: true, force: true });
  execFileSync('git', ['worktree', 'prune'], { cwd: root });
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const names = [...new Set([...pictures.before.keys(), ...pictures.now.keys()])];
const rows: string[] = [];
for (const name of names) {
  const [before, now] = [pictures.before.get(name), pictures.now.get(name)];
  if (before && now && (await looksEqual(before, now))) continue;
  const files = Object.entries({ before, now }).flatMap(([moment, data]) => {
    const file = `${name.replace(/[^\w]+/g, '-')}-${moment}.png`;
    if (data) writeFileSync(join(folder, file), data);
    return data ? [`<img src="${file}" alt="${moment}" />`] : [];
  });
  // The third picture is black where both are equal.
  rows.push(`<h2>${name}</h2><div>${files.join('')}<span>${files.join('')}</span></div>`);
}
const summary = `${rows.length} of ${names.length} pictures differ between ${commit} and the working tree.`;
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html><html lang="en"><meta charset="utf-8" /><title>Pictures</title>
<style>
  body { font: 1rem sans-serif; }
  div { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1rem; align-items: start; }
  img { width: 100%; }
  span { display: grid; isolation: isolate; }
  span img { grid-area: 1 / 1; }
  span img + img { mix-blend-mode: difference; }
</style>
<h1>${summary}</h1><p>Before, now, and the difference.</p>${rows.join('\n')}</html>\n`,
);
console.log(summary);
if (rows.length > 0) console.log(`Look at them: ${pathToFileURL(join(folder, 'index.html')).href}`);

/** Gives another commit the packages that it needs. */
function install(tree: string): void {
  const read = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (read(tree) === read(root)) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, stdio: 'inherit' });
}

function build(tree: string, dist: string): void {
  const args = [join(tree, 'node_modules/astro/bin/astro.mjs'), 'build', '--outDir', dist];
  const env = { ...makeEnvironment(), SITE_CACHE_DIR: join(tree, '.astro/pictures-cache') };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${tree} could not be built:\n${stdout}${stderr}`);
}

async function looksEqual(before: Buffer, now: Buffer): Promise<boolean> {
  if (before.equals(now)) return true;
  const read = (data: Buffer) => sharp(data).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [one, two] = [await read(before), await read(now)];
  if (one.info.width !== two.info.width || one.info.height !== two.info.height) return false;
  return one.data.every((value, index) => Math.abs(value - two.data[index]!) <= NOTICEABLE);
}
