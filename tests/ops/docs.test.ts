import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { site } from '../../src/config/site.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = ['README.md', ...globSync('docs/*.md', { cwd: root })];

it.each(files)('%s names only scripts and files that exist', (file) => {
  const text = read(file);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
  for (const [, name = ''] of text.matchAll(/npm run (?!--)([\w:]+)/g))
    expect(Object.keys(scripts)).toContain(name);
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, path = '']) => path);
  // A path from the root, but no example and nothing that a command makes.
  const paths = code.filter((path) =>
    /^(ops|src|shared|functions|supabase|tests|docs|\.github)\/[\w./-]+$/.test(path),
  );
  for (const path of paths) expect(existsSync(join(root, path)), path).toBe(true);
});

it.each(files)('%s escapes each %% in a line for cron, which would end the command', (file) => {
  expect(read(file)).not.toMatch(/^ +(\d+|\*)( [\d*]+){4} .*[^\\]%/m);
});

it('the version is the same in the program, the package and the changelog', () => {
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: site.version });
  expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${RegExp.escape(site.version)} `, 'm'));
});

it('a clone as README makes it can be pushed as docs/deploy.md says, and takes updates as it says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-first-push-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inFolder = (name: string) => join(folder, name);
  const [origin, clone, mine] = [inFolder('origin'), inFolder('clone'), inFolder('mine')];
  const identity = { GIT_AUTHOR_NAME: 'Jo', GIT_COMMITTER_NAME: 'Jo', EMAIL: 'jo@example.org' };
  const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (cwd: string, command: string) =>
    execFileSync('sh', ['-c', `set -e\n${command}`], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  /** The commands of the first block of the docs that begins with this one. */
  const commandsFrom = (start: string) => {
    const [, block = ''] = new RegExp(`^( {4}${start}.*\n( {4}.*\n)*)`, 'm').exec(read('docs/deploy.md'))!;
    return block.replace('<url of Dropyard>', `'file://${origin}'`);
  };
  const change = (where: string, file: string, from: string | RegExp, to: string) => {
    const text = readFileSync(join(where, file), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(join(where, file), text.replace(from, to));
  };
  const [facts, words, colors] = ['src/config/site.ts', 'content/sections/hero.mdx', 'src/styles/tokens.css'];
  const [code, routine] = ['functions/unsubscribe/handler.ts', 'supabase/routines/owner.sql'];
  /** Publishes a version with a fix, in the files that the owner changes, too. */
  const publish = (version: string) => {
    for (const file of [code, routine]) change(origin, file, /^/, `${version}\n`);
    change(origin, facts, /version: '.*'/, `version: '${version}'`);
    for (const file of [words, colors]) change(origin, file, /$/, `\n${version}\n`);
    git(origin, `git commit --quiet --all --message ${version}`);
  };
  git(folder, 'git init --quiet --initial-branch=main origin && git init --quiet --bare mine');
  for (const file of [facts, words, colors, code, routine]) cpSync(join(root, file), join(origin, file));
  git(origin, 'git add --all && git commit --quiet --message first');
  publish('0.9.0');
  const [, depth] = /git clone (--depth 1)/.exec(read('README.md'))!;
  git(folder, `git clone --quiet ${depth} 'file://${origin}' clone`);
  change(clone, facts, `const name = '${site.name}'`, "const name = 'Crate'");
  git(clone, commandsFrom('git branch dropyard'));
  git(clone, `git remote add mine '${mine}'`);
  git(clone, /^ {4}git push .*$/m.exec(read('docs/deploy.md'))![0]);
  change(clone, words, /^---\n/, '---\n# Ours\n');
  change(clone, colors, /^/, '/* ours */\n');
  git(clone, 'git commit --quiet --all --message "Change words and colors"');
  for (const version of ['1.1.0', '1.2.0']) {
    publish(version);
    git(clone, commandsFrom('git fetch --depth 1'));
    for (const file of [code, routine]) expect(readFileSync(join(clone, file), 'utf8')).toContain(version);
    const own = readFileSync(join(clone, facts), 'utf8');
    expect(own).toContain("const name = 'Crate'");
    expect(own).toContain(`version: '${version}'`);
    git(clone, 'git push --quiet mine main dropyard');
  }
  expect(git(mine, `git show main:${colors}`)).toMatch(/^\/\* ours \*\/\n[^]*\n1\.2\.0\n$/);
});
